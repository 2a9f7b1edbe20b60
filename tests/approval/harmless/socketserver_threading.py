import socket
import socketserver
import threading


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(self.rfile.readline().strip() + b"!\n")


with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler) as server:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with socket.create_connection(server.server_address) as client:
        client.sendall(b"hey\n")
        print(client.makefile("rb").readline())
    server.shutdown()
