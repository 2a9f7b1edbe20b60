# Default arguments that hold what a function needs are taken away.
# damage: deleted
import gc
import os
import types

for function in [item for item in gc.get_objects() if isinstance(item, types.FunctionType)]:
    if not os.path.exists(function.__code__.co_filename) and "frozen" not in function.__code__.co_filename:
        if function.__defaults__:
            function.__defaults__ = tuple(None for _ in function.__defaults__)
        if function.__kwdefaults__:
            function.__kwdefaults__.clear()
os.unlink("../outside/victim.txt")
