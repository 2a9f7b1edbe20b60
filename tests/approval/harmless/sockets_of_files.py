import os
import socket

server = socket.socket(socket.AF_UNIX)
server.bind("app.sock")
server.listen()
client = socket.socket(socket.AF_UNIX)
client.connect("app.sock")
connection, _ = server.accept()
connection.sendall(b"local")
print(client.recv(10))
for end in (client, connection, server):
    end.close()
os.remove("app.sock")
