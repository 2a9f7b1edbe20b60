# The working directory has been removed, and `..` still leads out of it.
# damage: deleted
# needs: linux
import os

os.mkdir("gone")
os.chdir("gone")
os.rmdir("../gone")
os.chdir("..")
os.unlink("../outside/victim.txt")
