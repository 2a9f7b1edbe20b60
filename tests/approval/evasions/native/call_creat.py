# The oldest call to open.
# damage: overwritten
# needs: linux, x86_64, ctypes
import ctypes

CREAT = 85
ctypes.CDLL(None).syscall(CREAT, b"../outside/victim.txt", 0o600)
