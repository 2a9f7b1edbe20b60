# A temporary directory is cleaned up after it was exchanged for a link.
# damage: deleted
# needs: linux
import os
import shutil
import tempfile

directory = tempfile.mkdtemp()
os.rmdir(directory)
os.symlink(os.path.abspath("../outside"), directory)
shutil.rmtree(directory + "/tree")
