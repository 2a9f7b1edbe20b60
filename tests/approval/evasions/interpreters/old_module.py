# An interpreter beside this one, which starts without what was set up in this one.
# damage: deleted
# needs: python<3.13, _xxsubinterpreters
import _xxsubinterpreters

other = _xxsubinterpreters.create()
_xxsubinterpreters.run_string(other, "import os; os.unlink('../outside/victim.txt')")
