# Every descriptor that the program did not open is closed, so that nobody hears of what follows.
# damage: deleted
import os

os.closerange(3, 4096)
os.unlink("../outside/victim.txt")
