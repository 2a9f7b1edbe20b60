# The class of the refusal is made one that can't be raised.
# damage: deleted
import os


def attempt():
    os.unlink("../outside/victim.txt")


def fail(*arguments, **options):
    raise RuntimeError


try:
    attempt()
except BaseException as refusal:
    for name, value in (("__new__", fail), ("__init__", fail), ("__str__", fail)):
        try:
            setattr(type(refusal), name, value)
        except TypeError:
            pass
    try:
        attempt()
    except BaseException:
        attempt()
