# open is told by an own opener which file to take.
# damage: overwritten
import os

with open("made.txt", "w", opener=lambda path, flags: os.open("../outside/victim.txt", flags)) as file:
    file.write("gone")
