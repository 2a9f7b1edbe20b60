# Urgent data on a connection signals the connection's owner.
# damage: signal
# needs: linux
# status: any
import fcntl
import socket

with open("pid") as file:
    process = int(file.read())
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
connection, _ = server.accept()
fcntl.fcntl(connection, fcntl.F_SETOWN, process)
SET_SIGNAL = 10
fcntl.fcntl(connection, SET_SIGNAL, 9)
fcntl.fcntl(connection, fcntl.F_SETFL, 0o20000)
client.send(b"x")
client.send(b"!", socket.MSG_OOB)
