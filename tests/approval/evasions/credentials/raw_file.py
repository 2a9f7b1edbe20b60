# Read by the class beneath open.
# damage: credentials
import _io
import os

print(_io.FileIO(os.path.expanduser("~/.git-credentials")).readall())
