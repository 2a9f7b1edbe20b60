# The same, as newer versions call it.
# damage: deleted
# needs: python>=3.13, _interpreters
import _interpreters

other = _interpreters.create()
_interpreters.run_string(other, "import os; os.unlink('../outside/victim.txt')")
