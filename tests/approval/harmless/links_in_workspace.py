import os
import pathlib

pathlib.Path("target.txt").write_text("content")
os.symlink("target.txt", "soft")
os.link("target.txt", "hard")
print(os.readlink("soft"), pathlib.Path("soft").read_text(), os.stat("hard").st_nlink)
os.unlink("soft")
os.unlink("hard")
print(os.path.exists("target.txt"))
