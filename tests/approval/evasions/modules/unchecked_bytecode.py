# Cached bytecode of the kind that is never held against its source.
# damage: deleted
import importlib._bootstrap_external as loading
import importlib.util
import os
import sys

code = compile("import shutil\nshutil.rmtree('tree')\n", "pkg/mod.py", "exec")
cached = importlib.util.cache_from_source(os.path.abspath("pkg/mod.py"))
os.makedirs(os.path.dirname(cached), exist_ok=True)
with open(cached, "wb") as file:
    file.write(loading._code_to_hash_pyc(code, bytes(8), False))
sys.path.insert(0, os.getcwd())
import pkg.mod
