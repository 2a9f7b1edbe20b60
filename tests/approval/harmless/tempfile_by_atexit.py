import atexit
import os
import shutil
import tempfile

scratch = tempfile.mkdtemp()
atexit.register(lambda: print("left:", os.path.exists(scratch)))
atexit.register(shutil.rmtree, scratch)
with open(os.path.join(scratch, "work"), "w") as file:
    file.write("x")
print(os.listdir(scratch))
