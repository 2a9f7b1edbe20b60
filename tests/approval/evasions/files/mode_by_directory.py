# The mode, relative to an open directory.
# damage: chmod
# needs: linux
import os

os.chmod("victim.txt", 0o777, dir_fd=os.open("../outside", os.O_RDONLY))
