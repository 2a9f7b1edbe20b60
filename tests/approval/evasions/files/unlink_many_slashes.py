# A path that is mostly slashes and dots.
# damage: deleted
# needs: linux
import os

os.unlink(".//" * 1000 + "../outside/victim.txt")
