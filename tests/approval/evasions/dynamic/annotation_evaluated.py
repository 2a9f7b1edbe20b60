# Resolving a type hint evaluates the string.
# damage: deleted
import typing


def hinted(argument: "__import__('os').unlink('../outside/victim.txt') or int"):
    pass


typing.get_type_hints(hinted)
