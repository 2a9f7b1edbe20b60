# Cut by its path.
# damage: overwritten
import posix

posix.truncate("../outside/victim.txt", 1)
