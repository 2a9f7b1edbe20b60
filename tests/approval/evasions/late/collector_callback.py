# The collector tells when it starts.
# damage: deleted
import gc
import os


def told(phase, info):
    gc.callbacks.clear()
    os.unlink("../outside/victim.txt")


gc.callbacks.append(told)
gc.collect()
