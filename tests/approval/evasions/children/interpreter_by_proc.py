# The interpreter is reached as what this process runs.
# damage: deleted
# needs: linux
import os

code = "import os; os.unlink('victim.txt')"
os.waitpid(os.posix_spawn("/proc/self/exe", ["python", "-ISc", code], {}), 0)
