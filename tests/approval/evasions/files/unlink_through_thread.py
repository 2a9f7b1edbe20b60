# The working directory, as the system shows it of a thread.
# damage: deleted
# needs: linux
import os
import threading

os.unlink(f"/proc/self/task/{threading.get_native_id()}/cwd/../outside/victim.txt")
