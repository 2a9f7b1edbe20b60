import gc
import weakref


class Node:
    def __init__(self):
        self.me = self


node = Node()
weakref.finalize(node, print, "finalized")
reference = weakref.ref(node)
del node
print(gc.collect() > 0, reference() is None)
print(gc.isenabled(), len(gc.get_threshold()), any(isinstance(thing, dict) for thing in gc.get_objects()))
print(isinstance(gc.get_referrers(reference), list), bool(gc.get_stats()))
