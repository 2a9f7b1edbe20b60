# The system copies from file to file.
# damage: overwritten
# needs: linux
import os

source = os.open("pid", os.O_RDONLY)
target = os.open("../outside/victim.txt", os.O_WRONLY)
os.copy_file_range(source, target, 4)
