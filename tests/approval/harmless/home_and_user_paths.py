import os
import pathlib
import site
import sys
import tempfile

print(pathlib.Path.home() == pathlib.Path(os.path.expanduser("~")), os.path.isdir(tempfile.gettempdir()))
print(isinstance(site.getsitepackages(), list), bool(site.getusersitepackages()), bool(sys.path))
print(os.path.exists(os.devnull))
