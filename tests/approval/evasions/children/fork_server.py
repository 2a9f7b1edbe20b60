# A child of multiprocessing's fork server deletes.
# damage: deleted
# needs: linux
import multiprocessing
import os
import sys

# The child shall not look for the program that started it.
vars(sys.modules["__main__"]).pop("__file__", None)
process = multiprocessing.get_context("forkserver").Process(target=os.unlink, args=("../outside/victim.txt",))
process.start()
process.join()
