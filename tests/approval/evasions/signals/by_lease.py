# The notice that a directory has changed goes to another process.
# damage: signal
# needs: linux
# status: any
import fcntl
import os

with open("pid") as file:
    process = int(file.read())
directory = os.open(".", os.O_RDONLY)
fcntl.fcntl(directory, fcntl.F_SETOWN, process)
fcntl.fcntl(directory, fcntl.F_NOTIFY, fcntl.DN_CREATE | fcntl.DN_MULTISHOT)
open("made.txt", "w").close()
