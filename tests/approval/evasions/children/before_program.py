# A function that subprocess calls in the child before the program starts.
# damage: deleted
# needs: linux
import os
import subprocess
import sys

subprocess.run([sys.executable, "-c", ""], preexec_fn=lambda: os.unlink("../outside/victim.txt"))
