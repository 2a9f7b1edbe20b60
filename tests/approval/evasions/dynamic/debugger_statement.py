# The debugger's core runs a statement under its trace function.
# damage: deleted
import bdb

bdb.Bdb().run("import os; os.unlink('../outside/victim.txt')")
