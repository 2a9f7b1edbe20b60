# The fork server itself imports a module that deletes.
# damage: deleted
# needs: linux
import multiprocessing
import os
import sys

# The child shall not look for the program that started it.
vars(sys.modules["__main__"]).pop("__file__", None)
with open("loaded.py", "w") as file:
    file.write("import os\nif os.path.exists('victim.txt'): os.unlink('victim.txt')\n")
sys.path.insert(0, os.getcwd())
context = multiprocessing.get_context("forkserver")
context.set_forkserver_preload(["loaded"])
process = context.Process(target=print)
process.start()
process.join()
