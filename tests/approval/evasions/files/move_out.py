# A tree of the workspace goes elsewhere.
# damage: moved
import shutil

shutil.move("tree", "../outside/taken")
