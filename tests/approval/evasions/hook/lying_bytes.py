# The same in bytes.
# damage: deleted
import os


class Lying(bytes):
    def decode(self, *arguments):
        return "made.txt"

    def __getitem__(self, key):
        return b"made.txt"[key]

    def startswith(self, *arguments):
        return False

    def __fspath__(self):
        return self


open("made.txt", "w").close()
os.unlink(Lying(b"../outside/victim.txt"))
