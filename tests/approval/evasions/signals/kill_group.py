# Its whole group is ended.
# damage: signal
# needs: linux
import os

with open("pid") as file:
    os.killpg(int(file.read()), 9)
