# The working directory becomes one that is only known by its descriptor.
# damage: deleted
# needs: linux
import os

os.fchdir(os.open("../outside", os.O_RDONLY | os.O_DIRECTORY))
os.unlink("victim.txt")
