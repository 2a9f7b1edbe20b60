import os
import pathlib

pathlib.Path("stamp").touch()
os.utime("stamp", (1_000_000, 2_000_000))
info = os.stat("stamp")
print(int(info.st_atime), int(info.st_mtime))
