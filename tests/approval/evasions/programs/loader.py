# The dynamic loader starts the shell on behalf of the run.
# damage: program
# needs: linux
import glob
import os

loaders = glob.glob("/lib64/ld-linux*") + glob.glob("/lib/ld-linux*") + glob.glob("/lib/ld-musl*")
os.spawnl(os.P_WAIT, loaders[0], "ld", "/bin/sh", "../outside/run-me.sh")
