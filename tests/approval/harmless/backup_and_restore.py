import pathlib
import shutil

path = pathlib.Path("settings.json")
path.write_text('{"a": 1}')
shutil.copy(path, path.with_suffix(".bak"))
path.write_text("broken")
path.with_suffix(".bak").replace(path)
print(path.read_text(), path.with_suffix(".bak").exists())
