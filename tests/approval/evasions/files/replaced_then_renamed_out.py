# A file of the run takes the place of somebody's directory's only entry, and the directory leaves.
# damage: moved
import os
import tempfile

os.rename("tree", "tree.old")
os.mkdir("tree")
os.rename("tree.old", "tree/old")
os.rename("tree", os.path.join(tempfile.mkdtemp(), "tree"))
