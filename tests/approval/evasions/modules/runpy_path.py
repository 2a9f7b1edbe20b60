# A file is written and run as a program within this one.
# damage: deleted
import runpy

with open("made.txt", "w") as file:
    file.write("import shutil\nshutil.rmtree('../outside/tree')\n")
runpy.run_path("made.txt")
