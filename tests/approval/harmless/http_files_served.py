import functools
import http.client
import http.server
import pathlib
import threading

pathlib.Path("public").mkdir()
pathlib.Path("public/page.html").write_text("<h1>page</h1>")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


handler = functools.partial(Quiet, directory="public")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = http.client.HTTPConnection("127.0.0.1", server.server_port)
client.request("GET", "/page.html")
answer = client.getresponse()
print(answer.status, answer.read())
client.close()
server.shutdown()
server.server_close()
