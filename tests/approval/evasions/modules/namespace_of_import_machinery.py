# The frozen import machinery keeps its own reference to the system calls.
# damage: deleted
import _frozen_importlib_external as machinery

machinery._os.unlink("../outside/victim.txt")
