import asyncio.subprocess
import code
import ctypes.util
import curses
import faulthandler
import pdb
import pty
import readline
import shutil
import subprocess
import venv
import webbrowser
import ensurepip
import cProfile
print("imported")
