import urllib.parse
import urllib.request

parts = urllib.parse.urlsplit("https://user@example.org:8443/a/b?q=1#frag")
print(parts.hostname, parts.port, parts.query)
print(urllib.parse.urljoin("http://example.org/a/b", "../c"), urllib.parse.quote("ä b"))
print(urllib.request.urlopen("data:text/plain,hello").read())
