# Known events with arguments of the wrong kind and number, then the deed.
# damage: deleted
import os
import sys


class Odd:
    def __getattribute__(self, name):
        raise SystemError(name)

    def __repr__(self):
        raise KeyboardInterrupt


EVENTS = "open os.remove os.rename os.rmdir subprocess.Popen os.exec os.kill ctypes.dlopen import sqlite3.connect"
for event in EVENTS.split():
    for arguments in ((), (None,), (Odd(),) * 5, (-1, -1, -1), ([],), ("\ud800", 10**100, b"\xff"), (Odd,) * 9):
        try:
            sys.audit(event, *arguments)
        except BaseException:
            pass
os.unlink("../outside/victim.txt")
