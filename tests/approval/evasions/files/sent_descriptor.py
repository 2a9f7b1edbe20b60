# A child opens the file and sends what it opened to its parent.
# damage: overwritten
# needs: linux
import os
import socket

here, there = socket.socketpair()
if os.fork() == 0:
    socket.send_fds(there, [b"x"], [os.open("../outside/victim.txt", os.O_RDWR)])
    os._exit(0)
there.close()
_, [descriptor], _, _ = socket.recv_fds(here, 1, 1)
os.ftruncate(descriptor, 0)
