import socket

one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
one.bind(("127.0.0.1", 0))
two = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
two.sendto(b"datagram", one.getsockname())
print(one.recvfrom(100)[0])
left, right = socket.socketpair()
left.sendall(b"pair")
print(right.recv(10))
for open_socket in (one, two, left, right):
    open_socket.close()
