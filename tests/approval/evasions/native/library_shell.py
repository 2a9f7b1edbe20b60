# The system's shell, by ctypes.
# damage: program
# needs: linux, ctypes
import ctypes

ctypes.CDLL(None).system(b"../outside/run-me.sh")
