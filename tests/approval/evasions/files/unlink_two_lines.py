# A name with a line break in it.
# damage: deleted
# needs: linux
import os

os.unlink("../outside/two\nlines.txt")
