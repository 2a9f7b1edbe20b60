# A thread that no module knows of.
# damage: deleted
import _thread
import os
import time

_thread.start_new_thread(os.unlink, ("../outside/victim.txt",))
time.sleep(0.3)
