# Another process stands in the directory that is meant.
# damage: deleted
# needs: linux
import os

with open("pid") as file:
    process = file.read()
os.unlink(f"/proc/{process}/root{os.path.abspath('victim.txt')}")
