# A directory with the name that a removed one would be shown under.
# damage: deleted
# needs: linux
import os

os.mkdir("tree (deleted)")
os.rename("tree", "tree (deleted)/tree")
os.unlink("a.txt", dir_fd=os.open("tree (deleted)/tree", os.O_PATH))
