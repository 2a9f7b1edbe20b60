# One of the old spawn functions.
# damage: program
# needs: linux
import os

os.spawnv(os.P_WAIT, "../outside/run-me.sh", ["run-me"])
