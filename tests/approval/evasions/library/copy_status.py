# shutil copies modes and times alone.
# damage: chmod
# needs: linux
import shutil

shutil.copystat("tree", "../outside/victim.txt")
