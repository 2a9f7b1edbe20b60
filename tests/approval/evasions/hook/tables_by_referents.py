# The same, walking down from every function rather than over all objects.
# damage: deleted
import gc
import os
import types

seen = set()
todo = [item for item in gc.get_objects() if isinstance(item, types.FunctionType)]
todo = [function for function in todo if not os.path.exists(function.__code__.co_filename)]
while todo:
    item = todo.pop()
    if id(item) in seen or isinstance(item, (types.ModuleType, type)):
        continue
    seen.add(id(item))
    todo += [part for part in gc.get_referents(item) if not isinstance(part, (str, int))]
    if type(item) in (set, dict) and any(name in item for name in ("os.remove", "shutil.rmtree", "subprocess.Popen")):
        item.clear()
os.unlink("../outside/victim.txt")
