# A name that the run has made and deleted, given to somebody else's file.
# damage: deleted
import os

for _ in range(3):
    open("made.txt", "w").close()
    os.unlink("made.txt")
os.rename("victim.txt", "made.txt")
os.unlink("made.txt")
