# Opened for reading, or not even that, and opened again for writing as the system shows it.
# damage: overwritten
# needs: linux
import os

handle = os.open("../outside/victim.txt", os.O_PATH)
with open(f"/proc/self/fd/{handle}", "w") as file:
    file.write("gone")
