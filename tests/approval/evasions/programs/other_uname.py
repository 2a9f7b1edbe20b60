# platform asks `uname`, and PATH says which one.
# status: any
# damage: program
# needs: linux
import os
import platform

os.mkdir("tools")
with open("tools/uname", "w") as file:
    file.write("#!/bin/sh\n../outside/run-me.sh\n")
os.chmod("tools/uname", 0o755)
os.environ["PATH"] = os.path.abspath("tools")
platform.processor()
