import os

handle = os.open("raw.bin", os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
os.write(handle, b"abcdef")
os.lseek(handle, 2, os.SEEK_SET)
print(os.read(handle, 2), os.fstat(handle).st_size)
os.ftruncate(handle, 3)
twin = os.dup(handle)
os.close(handle)
print(os.pread(twin, 10, 0))
os.close(twin)
