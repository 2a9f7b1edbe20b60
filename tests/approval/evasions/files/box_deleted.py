# A directory that the run made is deleted with somebody else's tree in it.
# damage: deleted
import os
import shutil

os.mkdir("box")
os.rename("tree", "box/tree")
shutil.rmtree("box")
