# A module that exists as bytecode only.
# damage: deleted
import os
import py_compile
import sys

os.mkdir("more")
with open("more/source.txt", "w") as file:
    file.write("import os\nos.unlink('../outside/victim.txt')\n")
py_compile.compile("more/source.txt", cfile="more/compiled.pyc")
sys.path.insert(0, os.path.abspath("more"))
import compiled
