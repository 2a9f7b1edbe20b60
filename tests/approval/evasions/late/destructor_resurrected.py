# An object survives its first end, and does the deed at the second.
# damage: deleted
import posix
import sys


class Again:
    def __del__(self, unlink=posix.unlink, keep=sys.modules):
        keep["again"] = Last()


class Last:
    def __del__(self, unlink=posix.unlink):
        unlink("../outside/victim.txt")


sys.again = Again()
