# shutil changes an owner.
# damage: chmod
# needs: linux, root
import shutil

shutil.chown("../outside/victim.txt", 1234)
