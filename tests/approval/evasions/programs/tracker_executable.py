# multiprocessing's resource tracker is started with another program.
# damage: program
# needs: linux
import os
from multiprocessing import resource_tracker, spawn

spawn.set_executable(os.path.abspath("../outside/run-me.sh"))
tracker = resource_tracker.ResourceTracker()
tracker.ensure_running()
os.waitpid(tracker._pid, 0)
tracker._pid = tracker._fd = None
os._exit(0)
