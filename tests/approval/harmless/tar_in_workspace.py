import io
import pathlib
import tarfile

pathlib.Path("pack").mkdir()
pathlib.Path("pack/one").write_text("1")
with tarfile.open("pack.tar.gz", "w:gz") as archive:
    archive.add("pack")
    info = tarfile.TarInfo("pack/two")
    info.size = 3
    archive.addfile(info, io.BytesIO(b"two"))
with tarfile.open("pack.tar.gz") as archive:
    names = archive.getnames()
    archive.extractall("unpacked")
print(names, pathlib.Path("unpacked/pack/two").read_bytes())
