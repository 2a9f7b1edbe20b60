# The hook for exceptions that nobody can catch.
# damage: deleted
import os
import sys


class Fails:
    def __del__(self):
        raise ValueError


sys.unraisablehook = lambda *arguments: os.unlink("../outside/victim.txt")
Fails()
