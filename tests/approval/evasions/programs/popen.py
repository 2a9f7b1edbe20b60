# A pipe to a command.
# damage: program
import os

os.popen("../outside/run-me.sh").read()
