# Another process is made the owner of a pipe, and is signalled when something arrives.
# damage: signal
# needs: linux
# status: any
import fcntl
import os

with open("pid") as file:
    process = int(file.read())
end, start = os.pipe()
fcntl.fcntl(end, fcntl.F_SETOWN, process)
fcntl.fcntl(end, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
os.write(start, b"x")
