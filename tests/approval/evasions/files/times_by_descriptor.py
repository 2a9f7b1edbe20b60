# The times, by a descriptor that is open for reading only.
# damage: chmod
# needs: linux
import os

os.utime(os.open("../outside/victim.txt", os.O_RDONLY), ns=(1, 1))
