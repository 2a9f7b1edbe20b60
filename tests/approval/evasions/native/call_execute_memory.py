# A program in memory is executed by its descriptor.
# damage: program
# needs: linux, x86_64, ctypes
import ctypes
import os

MEMORY, EXECUTE, EMPTY_PATH = 319, 322, 0x1000
libc = ctypes.CDLL(None)
memory = libc.syscall(MEMORY, b"", 1)
with open("/bin/sh", "rb") as shell:
    os.write(memory, shell.read())
arguments = (ctypes.c_char_p * 3)(b"sh", b"../outside/run-me.sh", None)
if os.fork() == 0:
    libc.syscall(EXECUTE, memory, b"", arguments, None, EMPTY_PATH)
    os._exit(1)
os.wait()
