# The mode, through a link in the workspace.
# damage: chmod
# needs: linux
import os
import pathlib

os.symlink("../outside/victim.txt", "mine.txt")
pathlib.Path("mine.txt").chmod(0o777)
