# A symbolic link is made outside.
# damage: linked
# needs: linux
import pathlib

pathlib.Path("../outside/link").symlink_to("/")
