# A suspended generator is closed by the collector.
# damage: deleted
import os


def suspended():
    try:
        yield
    finally:
        os.unlink("../outside/victim.txt")


generator = suspended()
next(generator)
del generator
