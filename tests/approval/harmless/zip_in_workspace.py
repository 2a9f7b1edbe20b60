import os
import pathlib
import zipfile

pathlib.Path("in").mkdir()
for name in ("a.txt", "b.txt"):
    pathlib.Path("in", name).write_text(name * 3)
with zipfile.ZipFile("all.zip", "w", zipfile.ZIP_DEFLATED) as archive:
    for name in sorted(os.listdir("in")):
        archive.write(os.path.join("in", name), name)
    archive.writestr("made/here.txt", "text")
with zipfile.ZipFile("all.zip") as archive:
    archive.extractall("out")
    print(archive.namelist(), archive.testzip())
print(pathlib.Path("out/made/here.txt").read_text())
