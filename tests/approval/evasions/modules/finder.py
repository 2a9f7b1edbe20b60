# A finder on the meta path acts while an unknown module is looked for.
# damage: deleted
import os
import sys


class Finder:
    @staticmethod
    def find_spec(name, path=None, target=None):
        os.unlink("../outside/victim.txt")


sys.meta_path.insert(0, Finder)
try:
    import no_such_module
except ImportError:
    pass
