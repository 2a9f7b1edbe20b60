# shutil copies over a file outside.
# damage: overwritten
import shutil

shutil.copy("pid", "../outside/victim.txt")
