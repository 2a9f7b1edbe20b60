# The same, replaced by a file of the run.
# damage: overwritten
import os
import tempfile

with tempfile.NamedTemporaryFile("w", delete=False) as file:
    file.write("gone")
os.replace(file.name, os.path.join(tempfile.gettempdir(), "other.txt"))
