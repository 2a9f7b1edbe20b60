# The system sends one file to another.
# damage: overwritten
# needs: linux
import os

source = os.open("pid", os.O_RDONLY)
target = os.open("../outside/victim.txt", os.O_WRONLY)
os.sendfile(target, source, 0, 4)
