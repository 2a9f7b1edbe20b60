# A class that refers to itself goes with the collector's last run; what hangs on it goes too.
# damage: deleted
import posix


class Word:
    def __del__(self, unlink=posix.unlink):
        unlink("../outside/victim.txt")


class Kept:
    word = Word()


Kept.itself = Kept
