# The callback of a weak reference, called for the object's end.
# damage: deleted
import os
import weakref


class Thing:
    pass


thing = Thing()
reference = weakref.ref(thing, lambda reference: os.unlink("../outside/victim.txt"))
del thing
