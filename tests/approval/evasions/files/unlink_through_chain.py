# A chain of links and `..`, which mean something else as text than as directories.
# damage: deleted
# needs: linux
import os

os.makedirs("a/b")
os.symlink("../../../outside/tree", "a/b/c")
os.symlink("a/b/c", "d")
os.unlink("d/../victim.txt")
