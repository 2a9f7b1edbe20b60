# The deed is done by a trusted caller: the import machinery calls it.
# damage: deleted
import importlib._bootstrap
import os

importlib._bootstrap._call_with_frames_removed(os.unlink, "../outside/victim.txt")
