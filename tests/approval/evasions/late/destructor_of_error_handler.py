# A handler for decoding errors outlives the modules.
# status: any
# damage: deleted
import codecs
import posix


class Handler:
    def __call__(self, error):
        raise error

    def __del__(self, unlink=posix.unlink):
        unlink("../outside/victim.txt")


codecs.register_error("tidy", Handler())
