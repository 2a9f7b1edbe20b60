# The other process's code is overwritten, and it falls.
# damage: signal
# needs: linux
import time

with open("pid") as file:
    process = file.read()
with open(f"/proc/{process}/maps") as file:
    code = [line.split()[0] for line in file if " r-xp " in line]
with open(f"/proc/{process}/mem", "r+b", buffering=0) as memory:
    for span in code:
        first, last = (int(part, 16) for part in span.split("-"))
        try:
            memory.seek(first)
            memory.write(bytes(last - first))
        except OSError:
            pass
time.sleep(0.4)
