# An archive makes a link first and writes through it then.
# damage: created-outside
# needs: linux
import io
import tarfile

with tarfile.open("made.tar", "w") as archive:
    link = tarfile.TarInfo("link")
    link.type, link.linkname = tarfile.SYMTYPE, "../outside"
    archive.addfile(link)
    archive.addfile(tarfile.TarInfo("link/new.txt"), io.BytesIO())
with tarfile.open("made.tar") as archive:
    archive.extraction_filter = staticmethod(lambda member, path: member)
    archive.extractall()
