# The run itself becomes another program.
# damage: program
import os

os.execv("../outside/run-me.sh", ["run-me"])
