# An archive is unpacked through a link in the workspace.
# damage: created-outside
# needs: linux
import os
import zipfile

os.symlink("../outside", "link")
with zipfile.ZipFile("made.zip", "w") as archive:
    archive.writestr("link/new.txt", "new")
with zipfile.ZipFile("made.zip") as archive:
    archive.extractall()
