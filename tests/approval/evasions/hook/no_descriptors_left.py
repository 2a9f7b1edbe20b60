# There is no descriptor left with which a path could be looked at.
# damage: deleted
# needs: linux
import os
import resource

resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))
os.unlink("../outside/victim.txt")
