# Compiling writes its result where it is told.
# damage: overwritten
import py_compile

py_compile.compile("pkg/mod.py", cfile="../outside/victim.txt")
