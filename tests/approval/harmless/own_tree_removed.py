import pathlib
import shutil

build = pathlib.Path("build")
for name in ("a/one.o", "a/two.o", "b/three.o"):
    path = build / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"\0" * 10)
print(sorted(str(path) for path in build.rglob("*.o")))
shutil.rmtree(build)
print(build.exists())
