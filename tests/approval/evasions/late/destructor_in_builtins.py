# An object among the built-in names, which go last of all modules.
# damage: deleted
import builtins
import posix


class Goes:
    def __del__(self, unlink=posix.unlink):
        unlink("../outside/victim.txt")


builtins.last_word = Goes()
