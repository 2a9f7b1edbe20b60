import pathlib
import pkgutil
import runpy

pathlib.Path("job.py").write_text("result = __name__\n")
print(runpy.run_path("job.py", run_name="ran")["result"])
pathlib.Path("tool").mkdir()
pathlib.Path("tool/__main__.py").write_text("print('main of a package')\n")
runpy.run_path("tool")
print(any(module.name == "json" for module in pkgutil.iter_modules()))
