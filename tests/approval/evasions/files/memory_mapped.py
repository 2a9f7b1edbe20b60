# Changed through a mapping of its pages.
# damage: overwritten
import mmap
import os

file = os.open("../outside/victim.txt", os.O_RDWR)
with mmap.mmap(file, 4) as pages:
    pages[:4] = b"gone"
