# The built-in names are gone when something needs them.
# damage: deleted
import builtins
import os

unlink, victim, names = os.unlink, "../outside/victim.txt", vars(builtins)
for name in list(names):
    if not name.startswith("__"):
        del names[name]
unlink(victim)
