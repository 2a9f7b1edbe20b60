# A module is written into the workspace and loaded from there.
# damage: deleted
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader

with open("made.py", "w") as file:
    file.write("import os\nos.unlink('../outside/victim.txt')\n")
spec = spec_from_loader("made", SourceFileLoader("made", "made.py"))
spec.loader.exec_module(module_from_spec(spec))
