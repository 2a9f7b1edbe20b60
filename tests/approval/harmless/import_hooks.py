import importlib.abc
import importlib.machinery
import sys


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name == "virtual" else None

    def exec_module(self, module):
        module.answer = 42


sys.meta_path.insert(0, Finder())
import virtual

print(virtual.answer)
