# The same, looked up on a PATH that the program chose.
# damage: program
# needs: linux
import os

os.environ["PATH"] = "../outside"
os.waitpid(os.posix_spawnp("../outside/run-me.sh", ["run-me"], os.environ), 0)
