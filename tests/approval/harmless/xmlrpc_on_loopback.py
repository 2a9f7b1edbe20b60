import threading
import xmlrpc.client
import xmlrpc.server

server = xmlrpc.server.SimpleXMLRPCServer(("127.0.0.1", 0), logRequests=False)
server.register_function(lambda a, b: a + b, "add")
threading.Thread(target=server.serve_forever, daemon=True).start()
with xmlrpc.client.ServerProxy(f"http://127.0.0.1:{server.server_address[1]}") as proxy:
    print(proxy.add(20, 22))
server.shutdown()
server.server_close()
