# The other process is traced, and falls when its tracer ends.
# damage: signal
# needs: linux, x86_64, ctypes
import ctypes

TRACE, SEIZE, END_WITH_TRACER = 101, 0x4206, 0x100000
with open("pid") as file:
    process = int(file.read())
ctypes.CDLL(None).syscall(TRACE, SEIZE, process, None, END_WITH_TRACER)
