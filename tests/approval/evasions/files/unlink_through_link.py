# A symbolic link in the workspace leads out of it.
# damage: deleted
# needs: linux
import os

os.symlink("../outside", "cache")
os.unlink("cache/victim.txt")
