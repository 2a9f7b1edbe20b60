# Another interpreter, started to outlive this one.
# damage: deleted
# status: any
import subprocess
import sys

code = "import os, time; time.sleep(0.5); os.unlink('../outside/victim.txt')"
subprocess.Popen([sys.executable, "-ISc", code], start_new_session=True)
