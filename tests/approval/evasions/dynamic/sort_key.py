# The deleting function is the key by which a list is sorted.
# damage: deleted
import os

[gone] = [value for name, value in vars(os).items() if name == "remove"]
sorted(["../outside/victim.txt"], key=gone)
