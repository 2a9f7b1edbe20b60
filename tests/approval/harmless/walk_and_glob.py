import fnmatch
import glob
import os
import pathlib

for name in ("src/a.py", "src/b.txt", "src/deep/c.py", "d.py"):
    path = pathlib.Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
print(sorted(glob.glob("src/**/*.py", recursive=True)))
print(sorted(os.path.join(top, name) for top, _, names in os.walk("src") for name in names))
print(fnmatch.filter(["a.py", "b.txt"], "*.py"), sorted(entry.name for entry in os.scandir("src")))
