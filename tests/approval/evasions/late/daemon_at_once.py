# A daemon acts at once, while the program still runs.
# damage: deleted
# needs: linux
import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.unlink("../outside/victim.txt")
    os._exit(0)
time.sleep(0.5)
