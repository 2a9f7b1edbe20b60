# An empty directory, by pathlib.
# damage: deleted
import pathlib

pathlib.Path("../outside/hollow").rmdir()
