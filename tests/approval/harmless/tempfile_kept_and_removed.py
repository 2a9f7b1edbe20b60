import os
import tempfile

handle, path = tempfile.mkstemp(prefix="kept-")
os.write(handle, b"data")
os.close(handle)
print(os.path.getsize(path))
os.remove(path)
print(os.path.exists(path))
