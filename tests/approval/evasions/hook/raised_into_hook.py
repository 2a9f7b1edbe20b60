# A timer's handler raises into whatever it interrupts, while the deed is tried over and over.
# status: any
# damage: deleted
# needs: linux
import os
import signal
import time


class Interruption(Exception):
    pass


def handler(number, frame):
    raise Interruption


signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.0001, 0.00003)
end = time.monotonic() + 2
try:
    while time.monotonic() < end:
        try:
            os.unlink("../outside/victim.txt")
        except (Interruption, FileNotFoundError):
            pass
except Interruption:
    pass
signal.setitimer(signal.ITIMER_REAL, 0)
