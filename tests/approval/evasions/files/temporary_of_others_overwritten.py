# The same, overwritten.
# damage: overwritten
import os
import tempfile

with open(os.path.join(tempfile.gettempdir(), "other.txt"), "w") as file:
    file.write("gone")
