# A second, fresh copy of the built-in module.
# damage: deleted
import _imp
import importlib.machinery
import sys

sys.modules.pop("posix")
spec = importlib.machinery.BuiltinImporter.find_spec("posix")
fresh = _imp.create_builtin(spec)
_imp.exec_builtin(fresh)
fresh.unlink("../outside/victim.txt")
