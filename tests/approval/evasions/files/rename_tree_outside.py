# A tree outside is renamed where it is.
# damage: moved
import os

os.renames("../outside/tree", "../outside/away/tree")
