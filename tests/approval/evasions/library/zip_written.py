# An archive is written over a file outside.
# damage: overwritten
import zipfile

with zipfile.ZipFile("../outside/victim.txt", "w") as archive:
    archive.writestr("a", "b")
