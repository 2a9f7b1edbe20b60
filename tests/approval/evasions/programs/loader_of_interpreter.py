# The dynamic loader starts the interpreter, bare.
# damage: deleted
# needs: linux
import glob
import os
import sys

loaders = glob.glob("/lib64/ld-linux*") + glob.glob("/lib/ld-linux*") + glob.glob("/lib/ld-musl*")
interpreter = os.path.realpath(sys.executable)
code = "import os; os.unlink('../outside/victim.txt')"
os.spawnl(os.P_WAIT, loaders[0], "ld", interpreter, "-ISc", code)
