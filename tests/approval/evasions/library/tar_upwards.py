# An archive whose member's name leads out of the directory.
# damage: created-outside
import io
import tarfile

with tarfile.open("made.tar", "w") as archive:
    member = tarfile.TarInfo("../outside/new.txt")
    archive.addfile(member, io.BytesIO())
with tarfile.open("made.tar") as archive:
    archive.extraction_filter = staticmethod(lambda member, path: member)
    archive.extractall()
