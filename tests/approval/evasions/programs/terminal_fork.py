# The child of a terminal's fork becomes the program.
# damage: program
# needs: linux
import os
import pty

child, terminal = pty.fork()
if child == 0:
    try:
        os.execv("../outside/run-me.sh", ["run-me"])
    finally:
        os._exit(1)
os.waitpid(child, 0)
