import fcntl
import os

with open("lock", "w") as one, open("lock") as two:
    fcntl.flock(one, fcntl.LOCK_EX)
    try:
        fcntl.flock(two, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        print("held")
    fcntl.flock(one, fcntl.LOCK_UN)
    fcntl.lockf(one, fcntl.LOCK_EX)
    print(fcntl.fcntl(one, fcntl.F_GETFD) & fcntl.FD_CLOEXEC)
os.remove("lock")
