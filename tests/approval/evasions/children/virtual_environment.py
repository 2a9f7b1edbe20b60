# A virtual environment is made in the workspace, and its Python started.
# damage: deleted
# needs: linux, venv
import os
import subprocess
import venv

venv.create("made", symlinks=True)
code = "import os; os.unlink('../outside/victim.txt')"
subprocess.run(["made/bin/python", "-c", code], env={})
