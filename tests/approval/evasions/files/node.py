# An ordinary file, made as a node.
# damage: created-outside
# needs: linux
import os
import stat

os.mknod("../outside/node", stat.S_IFREG | 0o600)
