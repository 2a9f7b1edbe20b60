# Read as pages of memory.
# damage: credentials
import mmap
import os

key = os.open(os.path.expanduser("~/.kube/config"), os.O_RDONLY)
print(mmap.mmap(key, 0, access=mmap.ACCESS_READ)[:])
