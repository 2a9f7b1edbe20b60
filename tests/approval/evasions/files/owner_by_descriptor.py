# The owner, by a descriptor that is open for reading only.
# damage: chmod
# needs: linux, root
import os

os.fchown(os.open("../outside/victim.txt", os.O_RDONLY), 1234, -1)
