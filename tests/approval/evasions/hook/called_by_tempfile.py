# The deed is done by a trusted caller: the module that cleans up temporary files.
# damage: deleted
# needs: python>=3.12
import tempfile

closer = tempfile._TemporaryFileCloser(open("pid"), "../outside/victim.txt", True, True)
closer.cleanup()
