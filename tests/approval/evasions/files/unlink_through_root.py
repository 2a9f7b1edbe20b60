# The system shows every process its root directory.
# damage: deleted
# needs: linux
import os

os.unlink("/proc/self/root" + os.path.abspath("../outside/victim.txt"))
