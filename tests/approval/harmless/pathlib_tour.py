import pathlib

root = pathlib.Path("project")
(root / "src").mkdir(parents=True)
file = root / "src" / "main.py"
file.write_text("print('hi')\n", encoding="utf-8")
print(file.suffix, file.stem, file.parent.name, file.relative_to(root).as_posix())
print(file.resolve().is_file(), (root / ".." / "project").resolve() == root.resolve())
file.unlink()
(root / "src").rmdir()
root.rmdir()
print(root.exists())
