# The file is moved among the run's own temporary files and deleted there.
# damage: deleted
import os
import tempfile

with tempfile.TemporaryDirectory() as directory:
    os.replace("victim.txt", os.path.join(directory, "scratch.txt"))
