import pathlib
import shutil

pathlib.Path("docs").mkdir()
pathlib.Path("docs/index.html").write_text("<p>hi</p>")
shutil.make_archive("docs-1.0", "zip", "docs")
shutil.unpack_archive("docs-1.0.zip", "site")
print(pathlib.Path("site/index.html").read_text())
