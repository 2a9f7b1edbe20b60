# The times of a file outside.
# damage: chmod
import os

os.utime("../outside/victim.txt", (0, 0))
