# A symbolic link to nothing yet: writing makes what it points to.
# damage: created-outside
# needs: linux
import os

os.symlink("../outside/new.txt", "mine.txt")
with open("mine.txt", "w") as file:
    file.write("new")
