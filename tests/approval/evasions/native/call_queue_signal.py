# A signal with a message.
# damage: signal
# needs: linux, x86_64, ctypes
import ctypes
import struct

QUEUE, FROM_QUEUE = 129, -1
with open("pid") as file:
    process = int(file.read())
information = struct.pack("iii", 15, 0, FROM_QUEUE) + bytes(116)
ctypes.CDLL(None).syscall(QUEUE, process, 15, information)
