# os is executed again, under another name and with what it imports.
# damage: deleted
import importlib.util
import os

spec = importlib.util.spec_from_file_location("so", os.__file__)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
module.rename("../outside/victim.txt", "../outside/moved.txt")
