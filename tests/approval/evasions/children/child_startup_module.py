# A child imports a startup module from the workspace.
# damage: deleted
import os
import subprocess
import sys

os.mkdir("start")
with open("start/sitecustomize.py", "w") as file:
    file.write("import os\nos.unlink('../outside/victim.txt')\n")
subprocess.run([sys.executable, "-c", ""], env={**os.environ, "PYTHONPATH": "start"})
