# Opened for reading, and truncated by a flag.
# damage: overwritten
# needs: linux
import os

os.open("../outside/victim.txt", os.O_RDONLY | os.O_TRUNC)
