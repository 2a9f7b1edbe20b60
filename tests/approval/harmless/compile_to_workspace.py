import compileall
import os
import pathlib
import py_compile

pathlib.Path("package").mkdir()
pathlib.Path("package/module.py").write_text("value = 1\n")
py_compile.compile("package/module.py", cfile="module.pyc")
print(compileall.compile_dir("package", quiet=1), os.path.exists("module.pyc"))
