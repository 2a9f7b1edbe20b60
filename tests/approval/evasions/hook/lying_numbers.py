# Flags and descriptors that are numbers only to C.
# damage: overwritten
# needs: linux
import os


class Flags(int):
    def __and__(self, other):
        return 0

    __rand__ = __or__ = __ror__ = __and__

    def __eq__(self, other):
        return other == 0

    def __index__(self):
        return 0

    __hash__ = int.__hash__


os.open("../outside/victim.txt", Flags(os.O_WRONLY | os.O_TRUNC))
