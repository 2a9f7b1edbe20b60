# A test helper of the interpreter writes a file from C.
# damage: overwritten
# needs: _testcapi
import _testcapi

_testcapi.pymarshal_write_long_to_file(1, "../outside/victim.txt", 2)
