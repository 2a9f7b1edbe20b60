# The function beneath subprocess, called by itself.
# damage: program
# needs: linux
import inspect
import os
import subprocess
import sys

arguments = [
    [b"../outside/run-me.sh"], [b"../outside/run-me.sh"], True, (), None, None,
    -1, -1, -1, -1, -1, -1, *os.pipe(), True, True,
]
if sys.version_info >= (3, 11):
    arguments.append(-1)
arguments += [None, None, None, -1, None]
if (3, 11) <= sys.version_info:
    arguments.append(False)
import _posixsubprocess

os.waitpid(_posixsubprocess.fork_exec(*arguments), 0)
