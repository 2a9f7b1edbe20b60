# A compressed file is written over one outside.
# damage: overwritten
import bz2

with bz2.open("../outside/victim.txt", "wt") as file:
    file.write("gone")
