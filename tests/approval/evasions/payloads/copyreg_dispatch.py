# The reduction is registered for a type that is not one's own.
# damage: deleted
import copy
import copyreg
import os
import types

copyreg.pickle(types.SimpleNamespace, lambda value: (os.unlink, (value.path,)))
copy.deepcopy(types.SimpleNamespace(path="../outside/victim.txt"))
