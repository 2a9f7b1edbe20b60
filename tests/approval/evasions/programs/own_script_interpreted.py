# A script whose first line names the interpreter, and which deletes.
# damage: deleted
# needs: linux
import os
import sys

with open("made", "w") as file:
    file.write(f"#!{sys.executable} -IS\nimport os\nos.unlink('../outside/victim.txt')\n")
os.chmod("made", 0o755)
os.spawnl(os.P_WAIT, "./made", "made")
