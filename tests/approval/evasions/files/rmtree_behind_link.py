# What is deleted as a directory of the run's own is reached through a link.
# damage: deleted
# needs: linux
import os
import shutil

os.mkdir("own")
os.symlink("../../outside", "own/link")
shutil.rmtree("own/link/tree")
