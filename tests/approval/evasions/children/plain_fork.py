# A forked child deletes, without a module in between.
# damage: deleted
# needs: linux
import os

if os.fork() == 0:
    try:
        os.unlink("../outside/victim.txt")
    finally:
        os._exit(0)
os.wait()
