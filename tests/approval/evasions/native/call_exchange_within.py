# Two files of the workspace change places; what has the run's own name then is deleted.
# damage: deleted
# needs: linux, x86_64, ctypes
import ctypes
import os

RENAMEAT2, HERE, EXCHANGE = 316, -100, 2
os.mkdir("made")
ctypes.CDLL(None).syscall(RENAMEAT2, HERE, b"made", HERE, b"tree", EXCHANGE)
os.unlink("made/a.txt")
