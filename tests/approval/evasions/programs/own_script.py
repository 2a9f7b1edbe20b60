# A script that the run wrote, with the shell in its first line.
# damage: program
# needs: linux
import os

with open("made.sh", "w") as file:
    file.write("#!/bin/sh\n../outside/run-me.sh\n")
os.chmod("made.sh", 0o755)
os.spawnl(os.P_WAIT, "./made.sh", "made.sh")
