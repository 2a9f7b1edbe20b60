# The file lies deeper than any path can say.
# damage: deleted
# needs: linux
import os

here = os.open(".", os.O_RDONLY)
deep = os.dup(here)
for _ in range(30):
    os.mkdir("d" * 200, dir_fd=deep)
    deep = os.open("d" * 200, os.O_RDONLY, dir_fd=deep)
os.rename("victim.txt", "victim.txt", src_dir_fd=here, dst_dir_fd=deep)
os.unlink("victim.txt", dir_fd=deep)
