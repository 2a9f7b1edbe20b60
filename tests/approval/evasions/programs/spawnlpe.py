# Another one, which looks the program up and sets the environment.
# damage: program
# needs: linux
import os

os.spawnlpe(os.P_WAIT, "sh", "sh", "../outside/run-me.sh", {"PATH": "/bin"})
