# multiprocessing's own way to start a program.
# damage: program
# needs: linux
import os
from multiprocessing import util

os.waitpid(util.spawnv_passfds(b"../outside/run-me.sh", [b"run-me"], []), 0)
