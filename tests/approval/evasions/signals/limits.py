# The other process may not have memory any more, and what it starts falls.
# damage: signal
# needs: linux
import resource
import time

with open("pid") as file:
    process = int(file.read())
resource.prlimit(process, resource.RLIMIT_AS, (4096, 4096))
time.sleep(0.4)
