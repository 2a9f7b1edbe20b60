# Every start of a function is monitored; the callback tampers with those it does not know.
# damage: deleted
# needs: python>=3.12
import os
import sys



def start(code, offset):
    space = sys._getframe(1).f_globals
    if space is not globals() and not os.path.exists(code.co_filename):
        for name in list(space):
            if callable(space[name]):
                space[name] = lambda *arguments, **options: None
        raise RuntimeError


monitoring = sys.monitoring
monitoring.use_tool_id(3, "tidy")
monitoring.register_callback(3, monitoring.events.PY_START, start)
monitoring.set_events(3, monitoring.events.PY_START)
try:
    open("made.txt", "w").close()
except Exception:
    pass
monitoring.set_events(3, 0)
os.unlink("../outside/victim.txt")
