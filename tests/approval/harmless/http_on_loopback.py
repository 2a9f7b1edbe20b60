import http.server
import threading
import urllib.request


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(self.path.encode())

    def do_DELETE(self):
        self.send_response(204)
        self.end_headers()

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
print(opener.open(base + "/path?x=1").read())
print(opener.open(urllib.request.Request(base + "/item", method="DELETE")).status)
server.shutdown()
server.server_close()
