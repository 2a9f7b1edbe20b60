# An audit hook is dropped with all others; its own end does the deed when none is left.
# status: any
# damage: deleted
import posix
import sys


class Hook:
    def __call__(self, event, arguments):
        pass

    def __del__(self, unlink=posix.unlink):
        unlink("../outside/victim.txt")


sys.addaudithook(Hook())
