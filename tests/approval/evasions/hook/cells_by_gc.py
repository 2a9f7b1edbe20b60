# What functions have closed over is replaced by functions that find nothing.
# damage: deleted
import gc
import os
import types

for cell in [item for item in gc.get_objects() if isinstance(item, types.CellType)]:
    try:
        inside = cell.cell_contents
    except ValueError:
        continue
    owners = [owner for owner in gc.get_referrers(cell) if isinstance(owner, tuple)]
    functions = [f for owner in owners for f in gc.get_referrers(owner) if isinstance(f, types.FunctionType)]
    if any(not os.path.exists(f.__code__.co_filename) for f in functions):
        cell.cell_contents = (lambda *arguments, **options: None) if callable(inside) else type(inside)()
os.unlink("../outside/victim.txt")
