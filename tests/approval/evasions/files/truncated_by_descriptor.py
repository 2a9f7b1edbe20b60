# Cut by an open descriptor.
# damage: overwritten
import os

os.ftruncate(os.open("../outside/victim.txt", os.O_WRONLY), 0)
