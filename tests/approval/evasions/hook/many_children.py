# More children try at once than anybody can look at.
# damage: deleted
# needs: linux
import os

for _ in range(48):
    if os.fork() == 0:
        try:
            os.unlink("../outside/victim.txt")
        finally:
            os._exit(0)
for _ in range(48):
    os.wait()
