# An archive of the workspace is made outside.
# damage: created-outside
import shutil

shutil.make_archive("../outside/packed", "zip", "tree")
