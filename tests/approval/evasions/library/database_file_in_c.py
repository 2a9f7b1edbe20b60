# A database library opens its file from C.
# damage: created-outside
# needs: linux, _gdbm
import _gdbm

_gdbm.open("../outside/new.db", "n")
