# The interpreter's own tests know how to run code in another one.
# damage: deleted
# needs: _testcapi
import _testcapi

_testcapi.run_in_subinterp("import os; os.unlink('../outside/victim.txt')")
