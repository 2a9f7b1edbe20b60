# The other process's stack is overwritten from here.
# damage: signal
# needs: linux, x86_64, ctypes
import ctypes
import struct
import time

PROCESS_VM_WRITE = 311
with open("pid") as file:
    process = int(file.read())
with open(f"/proc/{process}/maps") as file:
    spans = [line.split()[0] for line in file if " rw-p " in line]
libc = ctypes.CDLL(None)
for span in spans:
    first, last = (int(part, 16) for part in span.split("-"))
    local = ctypes.create_string_buffer(b"\x41" * (last - first))
    here = struct.pack("QQ", ctypes.addressof(local), last - first)
    there = struct.pack("QQ", first, last - first)
    libc.syscall(PROCESS_VM_WRITE, process, here, 1, there, 1, ctypes.c_ulong(0))
time.sleep(0.4)
