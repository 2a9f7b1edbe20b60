# A file outside gets an archive at its end.
# damage: overwritten
import zipfile

with zipfile.ZipFile("../outside/victim.txt", "a") as archive:
    archive.writestr("a", "b")
