# A .pth file's import line is run when its directory is added.
# damage: deleted
import os
import site

os.mkdir("more")
with open("more/made.pth", "w") as file:
    file.write("import os; os.unlink('../outside/victim.txt')\n")
site.addsitedir("more")
