# A second name for the file is the run's own; the first one goes.
# damage: deleted
# needs: linux
import os

os.link("victim.txt", "second.txt")
os.rename("second.txt", "third.txt")
os.unlink("victim.txt")
os.unlink("third.txt")
