import importlib
import importlib.util
import pathlib
import sys

pathlib.Path("helpers").mkdir()
pathlib.Path("helpers/__init__.py").write_text("from .deep import value\n")
pathlib.Path("helpers/deep.py").write_text("value = 42\n")
sys.path.insert(0, ".")
importlib.invalidate_caches()
import helpers

print(helpers.value, importlib.import_module("helpers.deep").value)
pathlib.Path("helpers/deep.py").write_text("value = 43000\n")
importlib.reload(sys.modules["helpers.deep"])
print(helpers.deep.value)
spec = importlib.util.spec_from_file_location("alone", "helpers/deep.py")
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
print(module.value, module.__name__)
