import os
import pathlib

os.umask(0o077)
pathlib.Path("private").touch()
print(oct(os.stat("private").st_mode & 0o777))
before = os.nice(0)
print(os.nice(1) >= before)
print(os.getpriority(os.PRIO_PROCESS, 0) >= before)
