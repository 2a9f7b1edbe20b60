# A file of somebody else in the shared temporary directory.
# damage: deleted
import os
import tempfile

os.unlink(os.path.join(tempfile.gettempdir(), "other.txt"))
