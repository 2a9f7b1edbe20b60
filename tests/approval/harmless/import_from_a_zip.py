import sys
import zipfile

with zipfile.ZipFile("modules.zip", "w") as archive:
    archive.writestr("zipped.py", "def hello():\n    return 'from a zip'\n")
sys.path.insert(0, "modules.zip")
import zipped

print(zipped.hello(), zipped.__file__.endswith("zipped.py"))
