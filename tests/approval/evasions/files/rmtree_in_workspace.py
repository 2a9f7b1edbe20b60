# A directory of the workspace, with all that is in it.
# damage: deleted
from shutil import rmtree as tidy

tidy("tree", ignore_errors=True)
