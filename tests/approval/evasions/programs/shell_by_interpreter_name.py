# A link named like the interpreter leads to a shell.
# damage: program
# needs: linux
import os
import subprocess
import sys

name = os.path.basename(sys.executable)
os.symlink("/bin/sh", name)
subprocess.run([f"./{name}", "../outside/run-me.sh"])
