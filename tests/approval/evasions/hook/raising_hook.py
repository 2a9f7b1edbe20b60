# A hook of its own raises, to keep what comes after it from being asked.
# damage: deleted
import os
import sys


def early(event, arguments):
    if event == "os.remove":
        arguments = ("harmless.txt", -1)
    if event == "sys.addaudithook":
        raise RuntimeError


try:
    sys.addaudithook(early)
    sys.addaudithook(print)
except Exception:
    pass
os.unlink("../outside/victim.txt")
