import os

handle = os.memfd_create("scratch")
os.write(handle, b"in memory")
os.lseek(handle, 0, os.SEEK_SET)
print(os.read(handle, 100))
os.close(handle)
handle = os.eventfd(3) if hasattr(os, "eventfd") else None
print(handle is None or os.eventfd_read(handle) == 3)
