# The import machinery writes files atomically, and will do so anywhere.
# damage: overwritten
import _frozen_importlib_external as machinery

machinery._write_atomic("../outside/victim.txt", b"gone")
