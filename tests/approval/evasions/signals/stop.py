# A process is not ended but stopped.
# damage: signal
# needs: linux
import os
import signal

with open("pid") as file:
    os.kill(int(file.read()), signal.SIGSTOP)
