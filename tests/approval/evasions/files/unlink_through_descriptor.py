# The path starts at an open directory, as the system shows it.
# damage: deleted
# needs: linux
import os

directory = os.open("../outside/tree", os.O_RDONLY)
os.unlink(f"/dev/fd/{directory}/../victim.txt")
