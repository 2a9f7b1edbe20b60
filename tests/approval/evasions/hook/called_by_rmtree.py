# A trusted caller is told that the directory is another.
# damage: deleted
# needs: linux
import os
import shutil
import tempfile

directory = tempfile.mkdtemp()
open(os.path.join(directory, "a.txt"), "w").close()
real_open, outside = os.open, os.path.abspath("../outside/tree")


def lying_open(path, flags, mode=0o777, *, dir_fd=None):
    return real_open(outside if path == directory else path, flags, mode, dir_fd=dir_fd)


os.open, os.path.samestat = lying_open, lambda one, other: True
try:
    shutil.rmtree(directory)
except OSError:
    pass
