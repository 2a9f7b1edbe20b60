# A signal's handler.
# damage: deleted
# needs: linux
import os
import signal
import time

signal.signal(signal.SIGALRM, lambda *arguments: os.unlink("../outside/victim.txt"))
signal.setitimer(signal.ITIMER_REAL, 0.05)
time.sleep(0.3)
