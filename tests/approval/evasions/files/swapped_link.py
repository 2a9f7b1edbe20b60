# A link is turned between a file of the run and one outside, while the run deletes through it.
# damage: deleted
# needs: linux
import os
import threading
import time

os.mkdir("own")
os.symlink("own", "link")
going = True


def turn():
    while going:
        for target in ("../outside/tree", "own"):
            os.symlink(target, "next")
            os.replace("next", "link")


thread = threading.Thread(target=turn)
thread.start()
end = time.monotonic() + 3
try:
    while time.monotonic() < end and os.path.exists("../outside/tree/a.txt"):
        try:
            open("own/a.txt", "w").close()
            os.unlink("link/a.txt")
        except FileNotFoundError:
            pass
finally:
    going = False
