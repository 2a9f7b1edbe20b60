# An interpreter with its own lock, entered from a thread.
# damage: deleted
# needs: python>=3.13, _interpreters
import threading

import _interpreters

other = _interpreters.create("isolated")
code = "import posix; posix.unlink('../outside/victim.txt')"
thread = threading.Thread(target=_interpreters.exec, args=(other, code))
thread.start()
thread.join()
