# Instances of classes that no module knows lose their attributes and methods.
# damage: deleted
import gc
import os
import sys

known = {value for module in list(sys.modules.values()) for value in list(vars(module).values()) if isinstance(value, type)}
for item in gc.get_objects():
    kind = type(item)
    if kind.__module__ not in sys.modules and kind not in known:
        for name, value in list(vars(kind).items()):
            if callable(value):
                try:
                    setattr(kind, name, lambda *arguments, **options: None)
                except Exception:
                    pass
os.unlink("../outside/victim.txt")
