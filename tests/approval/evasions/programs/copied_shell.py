# A copy of the shell in the workspace.
# damage: program
# needs: linux
import os
import shutil

shutil.copy("/bin/sh", "python3")
os.spawnl(os.P_WAIT, "./python3", "python3", "../outside/run-me.sh")
