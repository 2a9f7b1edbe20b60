# A function that runs in every child right after a fork.
# damage: deleted
# needs: linux
import os

os.register_at_fork(after_in_child=lambda: os.unlink("../outside/victim.txt"))
if os.fork() == 0:
    os._exit(0)
os.wait()
