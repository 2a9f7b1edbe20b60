# A symbolic link in the workspace, written through.
# damage: overwritten
# needs: linux
import os

os.symlink("../outside/victim.txt", "mine.txt")
with open("mine.txt", "w") as file:
    file.write("gone")
