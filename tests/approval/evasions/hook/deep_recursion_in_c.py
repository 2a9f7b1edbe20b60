# The frames run out inside C, where exceptions may be dropped.
# damage: deleted
import functools
import os

unlink = functools.partial(os.unlink, "../outside/victim.txt")


class Deep:
    def __eq__(self, other):
        try:
            return [self] == [Deep()]
        except RecursionError:
            try:
                unlink()
            except (RecursionError, FileNotFoundError):
                pass
            raise


try:
    Deep() == Deep()
except RecursionError:
    pass
try:
    unlink()
except FileNotFoundError:
    pass
