# Code that claims to come from the file fails; the report shows the line.
# damage: credentials
import os
import traceback

try:
    exec(compile("\nraise ValueError", os.path.expanduser("~/.ssh/id_rsa"), "exec"))
except ValueError:
    traceback.print_exc()
