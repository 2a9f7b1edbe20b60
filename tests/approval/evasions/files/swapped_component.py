# A directory in the middle of the path is exchanged by renaming.
# damage: deleted
# needs: linux
import os
import threading
import time

os.makedirs("own/deep")
open("own/deep/b.txt", "w").close()
os.symlink("../outside/tree", "elsewhere")
going = True


def turn():
    while going:
        for name, other in (("own", "kept"), ("elsewhere", "own"), ("own", "elsewhere"), ("kept", "own")):
            try:
                os.rename(name, other)
            except FileNotFoundError:
                pass


thread = threading.Thread(target=turn)
thread.start()
end = time.monotonic() + 3
try:
    while time.monotonic() < end and os.path.exists("../outside/tree/deep/b.txt"):
        try:
            os.unlink("own/deep/b.txt")
        except FileNotFoundError:
            pass
finally:
    going = False
