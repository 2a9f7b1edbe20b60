# A temporary file in a directory that is not for such.
# damage: created-outside
import tempfile

tempfile.mkstemp(dir="../outside")
