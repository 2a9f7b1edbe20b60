# The hooks of asynchronous generators are kept by the thread.
# status: any
# damage: deleted
import posix
import sys


class Hook:
    def __call__(self, generator):
        pass

    def __del__(self, unlink=posix.unlink):
        unlink("../outside/victim.txt")


sys.set_asyncgen_hooks(firstiter=Hook())
