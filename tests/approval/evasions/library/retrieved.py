# A download from a file to a file.
# damage: overwritten
import os
import urllib.request

urllib.request.urlretrieve("file://" + os.path.abspath("pid"), "../outside/victim.txt")
