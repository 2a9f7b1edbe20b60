# The process is named by a descriptor.
# damage: signal
# needs: linux
import os
import signal

with open("pid") as file:
    signal.pidfd_send_signal(os.pidfd_open(int(file.read())), signal.SIGKILL)
