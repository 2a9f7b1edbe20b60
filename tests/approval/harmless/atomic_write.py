import os
import tempfile

with open("config.ini", "w") as file:
    file.write("old")


def write(path, text):
    handle, new = tempfile.mkstemp(dir=os.path.dirname(os.path.abspath(path)))
    with os.fdopen(handle, "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


write("config.ini", "new")
print(open("config.ini").read())
