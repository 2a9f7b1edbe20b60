# The deed is done inside the trace function, while tracing is off.
# damage: deleted
import os
import sys


def trace(frame, event, argument):
    os.unlink("../outside/victim.txt")


sys.settrace(trace)
(lambda: 0)()
sys.settrace(None)
