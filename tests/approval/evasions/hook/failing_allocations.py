# Allocations are made to fail one by one while the deed is looked at.
# damage: deleted
# needs: linux, _testcapi
import os

import _testcapi

unlink, victim = os.unlink, b"../outside/victim.txt"
for start in range(300):
    _testcapi.set_nomemory(start, start + 40)
    try:
        unlink(victim)
    except (MemoryError, FileNotFoundError, SystemError):
        pass
    finally:
        _testcapi.remove_mem_hooks()
