# A file that this interpreter will read at every start.
# damage: tamper
import os
import site

with open(os.path.join(site.getsitepackages()[0], "zz_evasion.pth"), "w") as file:
    file.write("import sys\n")
