import pathlib
import urllib.request

path = pathlib.Path("local.txt")
path.write_text("local")
print(urllib.request.urlopen(path.resolve().as_uri()).read())
where, _ = urllib.request.urlretrieve(path.resolve().as_uri(), "copy.txt")
print(where, pathlib.Path("copy.txt").read_text())
