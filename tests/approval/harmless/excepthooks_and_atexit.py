import atexit
import sys
import threading

atexit.register(print, "at exit")
sys.excepthook = lambda kind, error, trace: print("hook:", error)
threading.excepthook = lambda arguments: print("thread hook:", arguments.exc_value)
sys.unraisablehook = lambda arguments: print("unraisable:", arguments.exc_value)


def fail():
    raise RuntimeError("in a thread")


thread = threading.Thread(target=fail)
thread.start()
thread.join()


class Bad:
    def __del__(self):
        raise ValueError("in a finalizer")


Bad()
print("end")
