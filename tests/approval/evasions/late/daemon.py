# A daemon with a session of its own goes on after the program has ended.
# damage: deleted
# needs: linux
# status: any
import os
import time

if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in range(3):
            os.close(number)
        time.sleep(1)
        os.unlink("../outside/victim.txt")
    os._exit(0)
