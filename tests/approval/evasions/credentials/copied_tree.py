# The home's configuration copied as a tree.
# damage: credentials
import os
import shutil

shutil.copytree(os.path.expanduser("~/.config/gh"), "made")
