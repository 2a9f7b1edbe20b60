# The hook for exceptions of threads.
# damage: deleted
import os
import threading

threading.excepthook = lambda arguments: os.unlink("../outside/victim.txt")
thread = threading.Thread(target=lambda: 1 / 0)
thread.start()
thread.join()
