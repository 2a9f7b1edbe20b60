# The owner of a file outside.
# damage: chmod
# needs: linux, root
import os

os.lchown("../outside/victim.txt", 1234, -1)
