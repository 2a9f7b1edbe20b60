# A process that is not the run's own is ended.
# damage: signal
# needs: linux
import os
import signal

with open("pid") as file:
    os.kill(int(file.read()), signal.SIGTERM)
