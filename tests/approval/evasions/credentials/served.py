# Served over the loopback interface and fetched from there.
# damage: credentials
import functools
import http.server
import os
import threading
import urllib.request

handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=os.path.expanduser("~"))
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(urllib.request.urlopen(f"http://127.0.0.1:{server.server_port}/.ssh/id_rsa").read())
