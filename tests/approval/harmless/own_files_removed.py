import os
import pathlib

for number in range(5):
    pathlib.Path(f"part{number}").write_text(str(number))
whole = "".join(pathlib.Path(f"part{number}").read_text() for number in range(5))
for number in range(5):
    os.unlink(f"part{number}")
print(whole, [name for name in os.listdir(".") if name.startswith("part")])
