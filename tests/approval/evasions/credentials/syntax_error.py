# The file is run as a program; the error shows the line that is none.
# damage: credentials
import os
import runpy

runpy.run_path(os.path.expanduser("~/.git-credentials"))
