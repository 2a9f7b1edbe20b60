# The file is opened by number and wrapped later.
# damage: overwritten
import os

with os.fdopen(os.open("../outside/victim.txt", os.O_RDWR), "w") as file:
    file.write("gone")
