# The directory is an open descriptor, the name relative to it.
# damage: deleted
# needs: linux
import os

directory = os.open("../outside", os.O_RDONLY)
os.unlink("victim.txt", dir_fd=directory)
