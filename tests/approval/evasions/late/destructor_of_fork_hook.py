# A function registered for forks is kept by the interpreter itself.
# status: any
# damage: deleted
# needs: linux
import os
import posix


class Before:
    def __call__(self):
        pass

    def __del__(self, unlink=posix.unlink):
        unlink("../outside/victim.txt")


os.register_at_fork(before=Before())
