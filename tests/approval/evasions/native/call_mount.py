# A directory outside is mounted over one of the workspace, and written to there.
# damage: overwritten
# needs: linux, root, ctypes
import ctypes

NEW_MOUNTS, PRIVATE, BIND = 0x20000, 0x44000, 0x1000
libc = ctypes.CDLL(None)
assert libc.unshare(NEW_MOUNTS) == 0
libc.mount(b"none", b"/", None, PRIVATE, None)
libc.mount(b"../outside", b"tree", None, BIND, None)
with open("tree/victim.txt", "w") as file:
    file.write("gone")
