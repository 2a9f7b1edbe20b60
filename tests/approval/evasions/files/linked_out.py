# A file of the workspace gets a second name outside.
# damage: created-outside
# needs: linux
import os

os.link("victim.txt", "../outside/second.txt")
