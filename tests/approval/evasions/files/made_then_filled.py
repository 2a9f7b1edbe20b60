# A directory that the run made outside the workspace's files is filled with them by another process's name for it.
# damage: deleted
# needs: linux
import os
import tempfile

directory = tempfile.mkdtemp()
handle = os.open(directory, os.O_RDONLY)
os.rename("victim.txt", "victim.txt", dst_dir_fd=handle)
os.unlink("victim.txt", dir_fd=handle)
