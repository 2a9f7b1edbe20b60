# The profiler runs a statement.
# damage: deleted
import cProfile

cProfile.run("import os; os.unlink('../outside/victim.txt')")
