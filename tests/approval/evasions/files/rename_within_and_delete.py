# The file gets the name of one that the run made.
# damage: deleted
import os

open("made.txt", "w").close()
os.replace("victim.txt", "made.txt")
os.unlink("made.txt")
