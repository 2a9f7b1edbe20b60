# An entry of the import path is handed to every path hook.
# damage: deleted
import os
import sys

sys.path_hooks.insert(0, os.unlink)
sys.path.insert(0, os.path.abspath("../outside/victim.txt"))
try:
    import no_such_module
except ImportError:
    pass
