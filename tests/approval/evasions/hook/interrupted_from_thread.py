# Another thread interrupts the main one without pause, while that one tries.
# damage: deleted
import _thread
import os
import signal
import time

end = time.monotonic() + 1.5
going = True


def interrupt():
    time.sleep(0.05)
    while going and time.monotonic() < end:
        _thread.interrupt_main()
        time.sleep(0.0002)


_thread.start_new_thread(interrupt, ())
try:
    while time.monotonic() < end and os.path.exists("../outside/victim.txt"):
        try:
            os.unlink("../outside/victim.txt")
        except KeyboardInterrupt:
            pass
except KeyboardInterrupt:
    pass
signal.signal(signal.SIGINT, signal.SIG_IGN)
going = False
