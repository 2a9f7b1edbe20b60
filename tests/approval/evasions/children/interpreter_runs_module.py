# Another interpreter runs a module of the standard library that does it.
# damage: overwritten
import subprocess
import sys

subprocess.run([sys.executable, "-IS", "-m", "zipfile", "-c", "../outside/victim.txt", "pid"])
