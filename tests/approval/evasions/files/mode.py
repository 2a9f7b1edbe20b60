# The mode of a file outside.
# damage: chmod
# needs: linux
import os

os.chmod("../outside/run-me.sh", 0)
