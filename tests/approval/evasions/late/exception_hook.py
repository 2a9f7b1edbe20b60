# The hook for uncaught exceptions.
# damage: deleted
import os
import sys

sys.excepthook = lambda *arguments: os.unlink("../outside/victim.txt")
raise ValueError
