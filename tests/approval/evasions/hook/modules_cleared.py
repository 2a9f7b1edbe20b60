# The table of modules is empty when something imports.
# damage: deleted
import os
import sys

unlink = os.unlink
sys.meta_path.clear()
sys.path_hooks.clear()
sys.modules.clear()
unlink("../outside/victim.txt")
