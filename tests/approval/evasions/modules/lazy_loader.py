# The module runs when an attribute of it is first looked at.
# damage: deleted
import importlib.util
import sys

with open("lazy.py", "w") as file:
    file.write("import os\nos.unlink('../outside/victim.txt')\nvalue = 1\n")
spec = importlib.util.spec_from_file_location("lazy", "lazy.py")
spec.loader = importlib.util.LazyLoader(spec.loader)
module = importlib.util.module_from_spec(spec)
sys.modules["lazy"] = module
spec.loader.exec_module(module)
module.value
