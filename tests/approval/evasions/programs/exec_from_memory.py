# The program lies in a file that exists in memory only.
# damage: program
# needs: linux
import os

memory = os.memfd_create("quiet")
with open("/bin/sh", "rb") as shell:
    os.write(memory, shell.read())
if os.fork() == 0:
    try:
        os.execve(memory, ["sh", "../outside/run-me.sh"], {})
    finally:
        os._exit(1)
os.wait()
