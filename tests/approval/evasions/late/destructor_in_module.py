# An object that goes with the modules, when little is left.
# damage: deleted
import posix
import sys


class Goes:
    def __del__(self, unlink=posix.unlink):
        unlink("../outside/victim.txt")


sys.last_word = Goes()
