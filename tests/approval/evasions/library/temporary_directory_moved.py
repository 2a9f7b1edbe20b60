# Where temporary files go is set to another directory.
# damage: created-outside
import os
import tempfile

tempfile.tempdir = os.path.abspath("../outside")
tempfile.NamedTemporaryFile(delete=False).close()
