# Read as if it were source.
# damage: credentials
import linecache
import os

print(linecache.getlines(os.path.expanduser("~/.pypirc")))
