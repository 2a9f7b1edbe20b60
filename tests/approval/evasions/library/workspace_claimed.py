# The working directory becomes another workspace.
# damage: deleted
import os

os.chdir("../outside")
try:
    os.mkdir(".git")
except OSError:
    pass
os.unlink("victim.txt")
