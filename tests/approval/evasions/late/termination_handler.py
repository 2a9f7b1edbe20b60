# The handler of the signal that ends programs.
# damage: deleted
# needs: linux
import os
import signal

signal.signal(signal.SIGTERM, lambda *arguments: os.unlink("../outside/victim.txt"))
os.kill(os.getpid(), signal.SIGTERM)
