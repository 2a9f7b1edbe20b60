# An archive whose member's name is absolute and already there.
# damage: overwritten
import io
import os
import tarfile

with tarfile.open("made.tar", "w") as archive:
    member = tarfile.TarInfo()
    member.name = os.path.abspath("../outside/victim.txt")
    member.size = 4
    archive.addfile(member, io.BytesIO(b"gone"))
with tarfile.open("made.tar") as archive:
    archive.extraction_filter = staticmethod(lambda member, path: member)
    archive.extractall()
