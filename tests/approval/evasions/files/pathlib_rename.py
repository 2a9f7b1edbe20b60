# A file outside is taken into the workspace.
# damage: moved
import pathlib

pathlib.Path("../outside/victim.txt").replace("taken.txt")
