# A directory outside that is empty is replaced by one of the run.
# damage: deleted
import os

os.mkdir("made")
open("made/a.txt", "w").close()
os.replace("made", "../outside/hollow")
os.rename("../outside/hollow", "back")
