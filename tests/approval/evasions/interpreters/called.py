# A function is called in another interpreter.
# damage: deleted
# needs: python>=3.13, _interpreters
import _interpreters


def act():
    import posix

    posix.unlink("../outside/victim.txt")


_interpreters.exec(_interpreters.create("legacy"), act)
