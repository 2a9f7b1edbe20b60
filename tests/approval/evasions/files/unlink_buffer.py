# The path is a buffer rather than text or bytes.
# damage: deleted
# needs: linux, python<3.12
import os
import warnings

warnings.simplefilter("ignore")
os.unlink(memoryview(b"../outside/victim.txt"))
