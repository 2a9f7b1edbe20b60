# A second name in the workspace for a file outside, written through.
# damage: overwritten
# needs: linux
import os

os.link("../outside/victim.txt", "mine.txt")
with open("mine.txt", "w") as file:
    file.write("gone")
