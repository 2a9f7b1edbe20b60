# Another library for foreign functions.
# damage: deleted
# needs: linux, cffi
import cffi

functions = cffi.FFI()
functions.cdef("int unlink(const char *path);")
functions.dlopen(None).unlink(b"../outside/victim.txt")
