# A variable says what a child's breakpoint calls.
# damage: program
import os
import subprocess
import sys

os.mkdir("start")
with open("start/stop.py", "w") as file:
    file.write("import os\ndef here(): os.system('../outside/run-me.sh')\n")
environment = {**os.environ, "PYTHONPATH": "start", "PYTHONBREAKPOINT": "stop.here"}
subprocess.run([sys.executable, "-c", "breakpoint()"], env=environment)
