# An extended attribute of a file outside.
# damage: chmod
# needs: linux
import os

os.setxattr(os.open("../outside/victim.txt", os.O_RDONLY), "user.mark", b"1")
