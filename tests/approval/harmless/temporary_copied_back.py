import pathlib
import shutil
import tempfile

with tempfile.TemporaryDirectory() as scratch:
    made = pathlib.Path(scratch, "result.txt")
    made.write_text("result")
    shutil.move(made, "result.txt")
    pathlib.Path(scratch, "second.txt").write_text("second")
    shutil.copy(pathlib.Path(scratch, "second.txt"), ".")
print(pathlib.Path("result.txt").read_text(), pathlib.Path("second.txt").read_text())
