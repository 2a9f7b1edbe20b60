# A timer's thread.
# damage: deleted
import os
import threading

threading.Timer(0.05, os.unlink, ("../outside/victim.txt",)).start()
