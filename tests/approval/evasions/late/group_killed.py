# Everything in the run's group is killed, but for the child that acts then.
# damage: deleted
# needs: linux
# status: any
import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        time.sleep(0.7)
        os.unlink("../outside/victim.txt")
    os._exit(0)
os.wait()
os.killpg(0, 9)
