# The standard library's own interactive interpreter runs it.
# damage: deleted
import code

code.InteractiveInterpreter().runsource("import os; os.unlink('../outside/victim.txt')")
