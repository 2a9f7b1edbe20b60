# The calls that signal, one after the other.
# damage: signal
# needs: linux, x86_64, ctypes
import ctypes

KILL, TKILL, TGKILL = 62, 200, 234
with open("pid") as file:
    process = int(file.read())
libc = ctypes.CDLL(None)
libc.syscall(KILL, process, 15)
libc.syscall(TKILL, process, 15)
libc.syscall(TGKILL, process, process, 15)
