# Hooks are made traceable, and the tracer jumps over their bodies.
# damage: deleted
import gc
import os
import sys
import types

for function in [item for item in gc.get_objects() if isinstance(item, types.FunctionType)]:
    try:
        function.__cantrace__ = True
    except Exception:
        pass


def trace(frame, event, argument):
    if frame.f_globals is not globals() and not os.path.exists(frame.f_code.co_filename):
        for name in list(frame.f_globals):
            if callable(frame.f_globals[name]):
                frame.f_globals[name] = lambda *arguments, **options: None
    return trace


sys.settrace(trace)
open("made.txt", "w").close()
sys.settrace(None)
os.unlink("../outside/victim.txt")
