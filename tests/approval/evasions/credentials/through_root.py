# Read through the system's view of this process's root.
# damage: credentials
# needs: linux
import os

with open("/proc/thread-self/root" + os.path.expanduser("~/.ssh/id_rsa")) as file:
    print(file.read())
