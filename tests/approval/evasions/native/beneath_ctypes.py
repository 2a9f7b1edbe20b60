# The module beneath ctypes, without it.
# damage: deleted
# needs: linux, _ctypes
import _ctypes

library = _ctypes.dlopen("", 1)
_ctypes.call_function(_ctypes.dlsym(library, "unlink"), (b"../outside/victim.txt",))
