# A path whose methods tell another story than its characters.
# damage: deleted
import os


class Lying(str):
    truth = "made.txt"

    def __fspath__(self):
        return self

    def __str__(self):
        return self.truth

    def __eq__(self, other):
        return True

    def __len__(self):
        return len(self.truth)

    def __getitem__(self, key):
        return self.truth[key]

    def __iter__(self):
        return iter(self.truth)

    def __add__(self, other):
        return self.truth + other

    def __radd__(self, other):
        return other + self.truth

    def __format__(self, how):
        return self.truth

    def startswith(self, *arguments):
        return False

    def encode(self, *arguments):
        return self.truth.encode()

    __hash__ = str.__hash__


open("made.txt", "w").close()
os.unlink(Lying("../outside/victim.txt"))
