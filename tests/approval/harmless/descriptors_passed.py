import array
import os
import socket

left, right = socket.socketpair()
handle = os.open("passed.txt", os.O_RDWR | os.O_CREAT)
socket.send_fds(left, [b"x"], [handle])
_, handles, _, _ = socket.recv_fds(right, 10, 1)
os.write(handles[0], b"through a socket")
print(os.pread(handle, 100, 0))
