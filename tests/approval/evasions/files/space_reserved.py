# A file grows by reserving space.
# damage: overwritten
# needs: linux
import os

os.posix_fallocate(os.open("../outside/victim.txt", os.O_WRONLY), 0, 100)
