# The same, while the run writes through it.
# damage: overwritten
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
    while time.monotonic() < end and os.path.getsize("../outside/tree/a.txt") == 5:
        with open("link/a.txt", "w") as file:
            file.write("gone")
finally:
    going = False
