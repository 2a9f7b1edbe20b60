# A negative number means a group.
# damage: signal
# needs: linux
import os

with open("pid") as file:
    os.kill(-int(file.read()), 9)
