import array
import io
import struct
import sys

print(struct.pack(">IhB", 1, -2, 3), struct.calcsize("=qd"), struct.unpack("<H", b"\x01\x02"))
numbers = array.array("d", [1.5, 2.5])
with open("numbers.bin", "wb") as file:
    numbers.tofile(file)
back = array.array("d")
back.frombytes(open("numbers.bin", "rb").read())
print(list(back), memoryview(b"abcdef")[1:4].tobytes(), sys.byteorder in ("little", "big"))
print(io.BytesIO(b"x\ny").readlines(), io.TextIOWrapper(io.BytesIO("ü".encode())).read())
