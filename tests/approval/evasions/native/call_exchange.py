# Two files change places in one call.
# damage: moved, overwritten
# needs: linux, x86_64, ctypes
import ctypes

RENAMEAT2, HERE, EXCHANGE = 316, -100, 2
open("made.txt", "w").close()
ctypes.CDLL(None).syscall(RENAMEAT2, HERE, b"made.txt", HERE, b"../outside/victim.txt", EXCHANGE)
