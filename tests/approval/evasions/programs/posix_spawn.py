# The system's own way to start a program.
# damage: program
# needs: linux
import os

os.waitpid(os.posix_spawn("../outside/run-me.sh", ["run-me"], {}), 0)
