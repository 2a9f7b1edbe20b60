# A directory that the run made, with somebody else's file in it, leaves the workspace.
# damage: moved
import os
import tempfile

os.mkdir("box")
os.rename("victim.txt", "box/victim.txt")
os.rename("box", os.path.join(tempfile.gettempdir(), "box"))
