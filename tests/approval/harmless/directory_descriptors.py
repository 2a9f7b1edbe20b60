import os

os.mkdir("inner")
handle = os.open("inner", os.O_RDONLY)
inner = os.open("made.txt", os.O_WRONLY | os.O_CREAT, dir_fd=handle)
os.write(inner, b"x")
os.close(inner)
os.rename("made.txt", "named.txt", src_dir_fd=handle, dst_dir_fd=handle)
print(os.listdir(handle), os.stat("named.txt", dir_fd=handle).st_size)
os.unlink("named.txt", dir_fd=handle)
print(os.listdir("inner"))
os.close(handle)
