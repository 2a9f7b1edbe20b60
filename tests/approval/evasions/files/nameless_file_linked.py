# A file without a name in the workspace gets one outside.
# damage: created-outside
# needs: linux
import os

nameless = os.open(".", os.O_TMPFILE | os.O_WRONLY)
here = os.open(".", os.O_PATH)
os.link(f"/proc/self/fd/{nameless}", "../outside/new.txt", src_dir_fd=here)
