# A code object becomes a function with globals of its own.
# damage: deleted
import types

code = compile("import shutil; shutil.rmtree('tree')", "<made>", "exec")
types.FunctionType(code, {"__builtins__": __builtins__})()
