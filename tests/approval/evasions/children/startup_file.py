# A variable names the file that an interactive child runs first.
# damage: deleted
import os
import subprocess
import sys

with open("startup.txt", "w") as file:
    file.write("import os\nos.unlink('../outside/victim.txt')\n")
subprocess.run([sys.executable, "-i"], env={**os.environ, "PYTHONSTARTUP": "startup.txt"}, input=b"")
