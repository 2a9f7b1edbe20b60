# Code objects are rebuilt so that the names they look up are others.
# damage: deleted
import gc
import os
import types

for function in [item for item in gc.get_objects() if isinstance(item, types.FunctionType)]:
    code = function.__code__
    if not os.path.exists(code.co_filename) and "frozen" not in code.co_filename and code.co_consts:
        swapped = tuple("x" + item if isinstance(item, str) else item for item in code.co_consts)
        try:
            function.__code__ = code.replace(co_consts=swapped)
        except Exception:
            pass
os.unlink("../outside/victim.txt")
