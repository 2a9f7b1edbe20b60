# What a thread kept for itself goes when it ends.
# damage: deleted
import os
import threading


class Goes:
    def __del__(self):
        os.unlink("../outside/victim.txt")


local = threading.local()
thread = threading.Thread(target=lambda: setattr(local, "kept", Goes()))
thread.start()
thread.join()
