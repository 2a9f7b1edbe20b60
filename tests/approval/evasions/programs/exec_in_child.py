# A forked child becomes another program.
# damage: program
# needs: linux
import os

if os.fork() == 0:
    try:
        os.execlp("../outside/run-me.sh", "run-me")
    finally:
        os._exit(1)
os.wait()
