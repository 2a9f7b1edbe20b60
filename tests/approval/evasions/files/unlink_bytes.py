# The path is bytes, and not text in any encoding.
# damage: deleted
# needs: linux
import os

os.unlink(b"../outside/\xe9t\xe9.txt")
