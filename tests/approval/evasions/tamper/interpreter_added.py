# Another program beside this interpreter.
# damage: tamper
import os
import sys

with open(os.path.join(os.path.dirname(sys.executable), "zz_evasion"), "w") as file:
    file.write("gone")
