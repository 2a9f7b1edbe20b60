# The same as text, with what stands for undecodable bytes.
# damage: deleted
# needs: linux
import pathlib

pathlib.Path("../outside/\udce9t\udce9.txt").unlink()
