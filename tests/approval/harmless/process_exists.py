import os
import time

child = os.fork()
if child == 0:
    time.sleep(60)
    os._exit(0)
os.kill(child, 0)
print("alive")
os.kill(child, 9)
os.waitpid(child, 0)
try:
    os.kill(child, 0)
except ProcessLookupError:
    print("gone")
