import ctypes
import ctypes.util


class Pair(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_double)]


pair = Pair(1, 2.5)
print(pair.x, pair.y, ctypes.sizeof(Pair), bytes(ctypes.c_uint16(258)) in (b"\x02\x01", b"\x01\x02"))
print((ctypes.c_int * 3)(1, 2, 3)[:])
