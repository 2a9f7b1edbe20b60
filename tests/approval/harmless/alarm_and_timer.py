import signal
import time


class Late(Exception):
    pass


def ring(number, frame):
    raise Late


signal.signal(signal.SIGALRM, ring)
signal.setitimer(signal.ITIMER_REAL, 0.05)
try:
    time.sleep(30)
except Late:
    print("rang")
signal.alarm(100)
print(signal.alarm(0) > 90)
