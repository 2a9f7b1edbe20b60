# A temporary directory's clean-up is turned to another directory.
# damage: deleted
import tempfile

directory = tempfile.TemporaryDirectory()
directory._finalizer.detach()
directory.name = "../outside/tree"
directory._rmtree(directory.name)
