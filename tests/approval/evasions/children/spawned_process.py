# A child started afresh by multiprocessing deletes.
# damage: deleted
import multiprocessing
import os
import sys

# The child shall not look for the program that started it.
vars(sys.modules["__main__"]).pop("__file__", None)
process = multiprocessing.get_context("spawn").Process(target=os.unlink, args=("../outside/victim.txt",))
process.start()
process.join()
