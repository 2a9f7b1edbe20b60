# A decorator is a call that does not look like one.
# damage: deleted
from posix import unlink as registered


@registered
@lambda function: "../outside/victim.txt"
def plugin():
    pass
