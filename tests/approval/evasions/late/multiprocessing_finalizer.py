# multiprocessing keeps its own list of what to do at the end.
# damage: deleted
import os
from multiprocessing import util

util.Finalize(None, os.unlink, ("../outside/victim.txt",), exitpriority=1)
