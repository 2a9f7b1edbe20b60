# Another interpreter, bare, reads and tells.
# damage: credentials
import os
import subprocess
import sys

code = "import sys; print(open(sys.argv[1]).read())"
subprocess.run([sys.executable, "-IS", "-c", code, os.path.expanduser("~/.ssh/id_rsa")])
