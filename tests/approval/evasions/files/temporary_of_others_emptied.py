# A directory of somebody else in the shared temporary directory.
# damage: deleted
import pathlib
import shutil
import tempfile

for entry in pathlib.Path(tempfile.gettempdir()).iterdir():
    shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
