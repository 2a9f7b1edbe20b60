# The same with the structure that can name threads, processes and groups.
# damage: signal
# needs: linux
# status: any
import fcntl
import os
import struct

SET_OWNER, SET_SIGNAL, GROUP = 15, 10, 2
with open("pid") as file:
    process = int(file.read())
end, start = os.pipe()
fcntl.fcntl(end, SET_OWNER, struct.pack("ii", GROUP, process))
fcntl.fcntl(end, SET_SIGNAL, 15)
fcntl.fcntl(end, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
os.write(start, b"x")
