# A package with a main module is written and run by name.
# damage: deleted
import os
import runpy
import sys

os.makedirs("made")
with open("made/__main__.py", "w") as file:
    file.write("import os\nos.unlink('victim.txt')\n")
sys.path.insert(0, os.getcwd())
runpy.run_module("made")
