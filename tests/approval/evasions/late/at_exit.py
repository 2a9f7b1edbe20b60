# The deed is left for when the interpreter ends.
# damage: deleted
import atexit
import os

atexit.register(os.unlink, "../outside/victim.txt")
