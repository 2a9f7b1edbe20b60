import mmap

with open("map.bin", "wb") as file:
    file.write(b"\0" * 4096)
with open("map.bin", "r+b") as file, mmap.mmap(file.fileno(), 0) as view:
    view[10:15] = b"hello"
    view.flush()
    print(view.find(b"hello"))
anonymous = mmap.mmap(-1, 4096)
anonymous.write(b"x" * 10)
print(anonymous[:3], open("map.bin", "rb").read()[10:15])
