# A breakpoint calls what a variable names.
# damage: program
import os

os.environ["PYTHONBREAKPOINT"] = "os.system"
breakpoint("../outside/run-me.sh")
