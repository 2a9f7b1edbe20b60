# A named pipe outside.
# damage: created-outside
# needs: linux
import os

os.mkfifo("../outside/pipe")
