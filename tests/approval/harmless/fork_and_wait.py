import os

reader, writer = os.pipe()
child = os.fork()
if child == 0:
    os.close(reader)
    os.write(writer, b"from the child")
    os._exit(3)
os.close(writer)
print(os.read(reader, 100))
_, status = os.waitpid(child, 0)
print(os.waitstatus_to_exitcode(status))
