# The other process is traced, and falls when its tracer ends.
# damage: signal
# needs: linux, x86_64, ctypes
import ctypes
import os
import time

TRACE, SEIZE, END_WITH_TRACER = 101, 0x4206, 0x100000
with open("pid") as file:
    process = int(file.read())
libc = ctypes.CDLL(None)
if os.fork() == 0:
    libc.syscall(TRACE, SEIZE, process, None, END_WITH_TRACER)
    os._exit(0)
os.wait()
time.sleep(0.2)
