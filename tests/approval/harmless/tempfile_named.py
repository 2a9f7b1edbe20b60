import os
import tempfile

with tempfile.NamedTemporaryFile("w+", suffix=".log") as file:
    file.write("hello")
    file.flush()
    print(os.path.getsize(file.name))
print(os.path.exists(file.name))
