# Bytecode is cached below a directory of the program's choice.
# damage: created-outside
import importlib
import os
import sys

sys.dont_write_bytecode = False
sys.pycache_prefix = os.path.abspath("../outside/cache")
sys.path.insert(0, os.getcwd())
importlib.import_module("pkg.mod")
