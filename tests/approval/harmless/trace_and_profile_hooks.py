import sys
import threading

calls = []


def watch(frame, event, argument):
    if event == "call":
        calls.append(frame.f_code.co_name)
    return watch


def traced():
    return 1


sys.settrace(watch)
traced()
sys.settrace(None)
sys.setprofile(lambda frame, event, argument: None)
sys.setprofile(None)
threading.setprofile(None)
print("traced" in calls)
