# The working directory is exchanged under a thread that deletes relative to it.
# damage: deleted
# needs: linux
import os
import threading
import time

own, outside = os.path.abspath("own"), os.path.abspath("../outside/tree")
os.mkdir(own)
going = True


def turn():
    while going:
        os.chdir(outside)
        os.chdir(own)


thread = threading.Thread(target=turn)
thread.start()
end = time.monotonic() + 3
try:
    while time.monotonic() < end and os.path.exists(outside + "/a.txt"):
        try:
            open(own + "/a.txt", "w").close()
            os.unlink("a.txt")
        except FileNotFoundError:
            pass
finally:
    going = False
