# Whatever else is open is read empty, so that no answer and no question arrives.
# damage: deleted
# needs: linux
import os
import threading


def drain(number):
    try:
        while os.read(number, 4096):
            pass
    except OSError:
        pass


for number in range(3, 64):
    threading.Thread(target=drain, args=(number,), daemon=True).start()
os.unlink("../outside/victim.txt")
os._exit(0)
