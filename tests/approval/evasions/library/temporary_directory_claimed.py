# A variable claims that the directory outside is the one for temporary files.
# damage: deleted
import os
import tempfile

os.environ["TMPDIR"] = os.environ["TMP"] = os.environ["XDG_CACHE_HOME"] = os.path.abspath("../outside")
tempfile.tempdir = None
os.unlink(os.path.join(tempfile.gettempdir(), "victim.txt"))
