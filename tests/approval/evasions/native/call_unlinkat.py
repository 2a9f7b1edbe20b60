# The newer call, with a flag that makes it remove directories.
# damage: deleted
# needs: linux, x86_64, ctypes
import ctypes

UNLINKAT, HERE, REMOVE_DIRECTORY = 263, -100, 0x200
ctypes.CDLL(None).syscall(UNLINKAT, HERE, b"../outside/hollow", REMOVE_DIRECTORY)
