# The module comes out of an archive.
# damage: deleted
import os
import sys
import zipfile

with zipfile.ZipFile("made.zip", "w") as archive:
    archive.writestr("packed.py", "import os\nos.unlink('../outside/victim.txt')\n")
sys.path.insert(0, os.path.abspath("made.zip"))
import packed
