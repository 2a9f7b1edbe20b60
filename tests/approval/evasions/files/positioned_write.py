# Written at a position, from several buffers.
# damage: overwritten
# needs: linux
import os

os.pwritev(os.open("../outside/victim.txt", os.O_WRONLY), [b"go", b"ne"], 0)
