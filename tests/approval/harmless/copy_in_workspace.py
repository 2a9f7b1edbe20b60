import filecmp
import pathlib
import shutil

pathlib.Path("tree/sub").mkdir(parents=True)
pathlib.Path("tree/a.txt").write_text("a")
pathlib.Path("tree/sub/b.txt").write_text("b")
shutil.copytree("tree", "copy")
shutil.copy2("tree/a.txt", "copy/c.txt")
shutil.copyfile("tree/a.txt", "d.txt")
print(filecmp.cmp("tree/a.txt", "copy/c.txt"), sorted(p.name for p in pathlib.Path("copy").rglob("*.txt")))
