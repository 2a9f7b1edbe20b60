# The program is named by an open file.
# damage: program
# needs: linux
import os

shell = os.open("/bin/sh", os.O_RDONLY)
if os.fork() == 0:
    try:
        os.execve(shell, ["sh", "../outside/run-me.sh"], {})
    finally:
        os._exit(1)
os.wait()
