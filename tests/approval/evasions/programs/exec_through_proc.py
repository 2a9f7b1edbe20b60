# The program is reached through the descriptors that the system shows.
# damage: program
# needs: linux
import os

shell = os.open("/bin/sh", os.O_PATH)
os.waitpid(os.posix_spawn(f"/proc/self/fd/{shell}", ["sh", "../outside/run-me.sh"], {}), 0)
