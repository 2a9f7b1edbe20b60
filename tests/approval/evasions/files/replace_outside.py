# A file of the run is put over one outside.
# damage: overwritten
import os

with open("made.txt", "w") as file:
    file.write("gone")
os.replace("made.txt", "../outside/victim.txt")
