# multiprocessing starts its children with another program.
# damage: program
# needs: linux
import multiprocessing
import os

multiprocessing.set_executable(os.path.abspath("../outside/run-me.sh"))
process = multiprocessing.get_context("spawn").Process(target=print)
process.start()
process.join()
