import os

handle = os.open("shared.txt", os.O_RDWR | os.O_CREAT)
os.set_inheritable(handle, True)
child = os.fork()
if child == 0:
    os.write(handle, b"child ")
    os._exit(0)
os.waitpid(child, 0)
os.write(handle, b"parent")
print(os.pread(handle, 100, 0), os.get_inheritable(handle))
