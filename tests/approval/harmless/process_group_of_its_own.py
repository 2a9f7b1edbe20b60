import os
import signal
import time

child = os.fork()
if child == 0:
    os.setpgid(0, 0)
    time.sleep(60)
    os._exit(0)
try:
    os.setpgid(child, child)
except PermissionError:
    pass
os.killpg(child, signal.SIGKILL)
print(os.WTERMSIG(os.waitpid(child, 0)[1]))
