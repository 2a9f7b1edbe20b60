import bz2
import gzip
import lzma
import zlib

text = b"the same line again\n" * 500
for module, name in ((gzip, "t.gz"), (bz2, "t.bz2"), (lzma, "t.xz")):
    with module.open(name, "wb") as file:
        file.write(text)
    with module.open(name, "rb") as file:
        print(name, file.read() == text)
print(zlib.decompress(zlib.compress(text, 9)) == text, zlib.crc32(text))
