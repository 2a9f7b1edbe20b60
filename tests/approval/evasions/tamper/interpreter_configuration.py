# The configuration of this interpreter's environment.
# damage: tamper
import os
import sys

with open(os.path.join(sys.prefix, "pyvenv.cfg"), "a") as file:
    file.write("# evasion\n")
