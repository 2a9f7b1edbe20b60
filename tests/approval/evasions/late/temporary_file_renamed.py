# A temporary file's clean-up is turned to another file.
# damage: deleted
import tempfile

file = tempfile.NamedTemporaryFile()
file._closer.name = "../outside/victim.txt"
file.close()
