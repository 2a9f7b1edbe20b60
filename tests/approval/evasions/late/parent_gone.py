# A child goes on after the program has ended.
# damage: deleted
# needs: linux
# status: any
import os
import time

if os.fork() == 0:
    time.sleep(0.5)
    os.unlink("../outside/victim.txt")
    os._exit(0)
os._exit(0)
