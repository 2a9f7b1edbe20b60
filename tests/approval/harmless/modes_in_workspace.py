import os
import pathlib
import stat

path = pathlib.Path("tool.sh")
path.write_text("#!/bin/sh\n")
os.chmod(path, 0o755)
print(stat.filemode(path.stat().st_mode))
path.chmod(0o600)
print(oct(path.stat().st_mode & 0o777))
