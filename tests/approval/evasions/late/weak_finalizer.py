# A finalizer of the weak references.
# damage: deleted
import os
import weakref


class Thing:
    pass


thing = Thing()
weakref.finalize(thing, os.unlink, "../outside/victim.txt")
del thing
