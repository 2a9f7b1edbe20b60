import os
import signal
import time

child = os.fork()
if child == 0:
    time.sleep(60)
    os._exit(0)
os.kill(child, signal.SIGTERM)
_, status = os.waitpid(child, 0)
print(os.WTERMSIG(status) == signal.SIGTERM)
