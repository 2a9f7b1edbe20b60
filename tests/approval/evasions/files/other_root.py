# The root directory becomes another, and absolute paths mean other files.
# damage: deleted
# needs: linux, root
import os

os.chroot("../outside")
os.unlink("/victim.txt")
