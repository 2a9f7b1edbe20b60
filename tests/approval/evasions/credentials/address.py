# Read by the address of a file.
# damage: credentials
import os
import pathlib
import urllib.request

print(urllib.request.urlopen(pathlib.Path(os.path.expanduser("~/.ssh/id_rsa")).as_uri()).read())
