import os
import pathlib

children = []
for number in range(3):
    child = os.fork()
    if child == 0:
        pathlib.Path(f"child{number}").write_text("done")
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
print(sorted(path.name for path in pathlib.Path(".").glob("child*")))
