# Empty directories, upwards.
# damage: deleted
import os

os.removedirs("../outside/hollow")
