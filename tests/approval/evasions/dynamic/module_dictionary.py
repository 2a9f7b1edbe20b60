# The function comes out of the table of loaded modules.
# damage: deleted
import sys

vars(sys.modules["posix"])["unlink"]("../outside/victim.txt")
