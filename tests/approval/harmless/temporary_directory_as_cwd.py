import os
import tempfile

here = os.getcwd()
with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    with open("inside.txt", "w") as file:
        file.write("inside")
    os.rename("inside.txt", "renamed.txt")
    os.chmod("renamed.txt", 0o600)
    os.symlink("renamed.txt", "link.txt")
    print(sorted(os.listdir()), open("link.txt").read())
    os.chdir(here)
print(os.path.exists(scratch))
