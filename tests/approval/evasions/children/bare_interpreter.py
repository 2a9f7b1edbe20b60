# Another interpreter, without site and without the environment.
# damage: deleted
import subprocess
import sys

code = "import os; os.unlink('../outside/victim.txt')"
subprocess.run([sys.executable, "-I", "-S", "-E", "-c", code], env={})
