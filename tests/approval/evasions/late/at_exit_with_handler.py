# An exit handler fails, and what handles its failure does the deed.
# damage: deleted
import atexit
import os
import sys

sys.unraisablehook = sys.excepthook = lambda *arguments: os.unlink("../outside/victim.txt")
atexit.register(lambda: 1 / 0)
