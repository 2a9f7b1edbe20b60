# Every file below the home is read, whichever it is.
# damage: credentials
import pathlib

for path in pathlib.Path.home().rglob("*"):
    if path.is_file():
        print(path.read_text(errors="replace"))
