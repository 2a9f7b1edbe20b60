# The mode, by a descriptor that is open for reading only.
# damage: chmod
# needs: linux
import os

os.fchmod(os.open("../outside/victim.txt", os.O_RDONLY), 0o777)
