# The directory was opened without any right to read it.
# damage: deleted
# needs: linux
import os

directory = os.open("..", os.O_PATH)
os.unlink("outside/victim.txt", dir_fd=directory)
