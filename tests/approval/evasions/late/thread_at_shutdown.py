# A thread waits for the main one to end.
# damage: deleted
import os
import threading


def wait():
    threading.main_thread().join()
    os.unlink("../outside/victim.txt")


threading.Thread(target=wait).start()
