# The signal that says a child has ended.
# damage: deleted
# needs: linux
import os
import signal
import time

signal.signal(signal.SIGCHLD, lambda *arguments: os.unlink("../outside/victim.txt"))
if os.fork() == 0:
    os._exit(0)
os.wait()
time.sleep(0.1)
