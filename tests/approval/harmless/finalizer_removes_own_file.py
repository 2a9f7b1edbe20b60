import os
import weakref


class Scratch:
    def __init__(self):
        self.path = "scratch.tmp"
        open(self.path, "w").close()
        self.end = weakref.finalize(self, os.unlink, self.path)


scratch = Scratch()
print(os.path.exists("scratch.tmp"))
del scratch
print(os.path.exists("scratch.tmp"))
