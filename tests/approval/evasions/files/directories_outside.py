# Directories are made outside.
# damage: created-outside
import os

os.makedirs("../outside/a/b/c")
