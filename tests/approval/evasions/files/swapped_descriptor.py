# The directory's descriptor comes to mean another directory while it is looked at.
# damage: deleted
# needs: linux
import os
import threading
import time

os.mkdir("own")
own = os.open("own", os.O_RDONLY)
outside = os.open("../outside/tree", os.O_RDONLY)
directory = os.dup(own)
going = True


def turn():
    while going:
        os.dup2(outside, directory)
        os.dup2(own, directory)


thread = threading.Thread(target=turn)
thread.start()
end = time.monotonic() + 3
try:
    while time.monotonic() < end and os.path.exists("../outside/tree/a.txt"):
        try:
            open("own/a.txt", "w").close()
            os.unlink("a.txt", dir_fd=directory)
        except FileNotFoundError:
            pass
finally:
    going = False
