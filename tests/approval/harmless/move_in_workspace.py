import os
import shutil

os.makedirs("from")
os.makedirs("to")
for name in "abc":
    open(f"from/{name}", "w").close()
for name in "abc":
    shutil.move(f"from/{name}", "to")
shutil.move("to", "moved")
print(os.listdir("from"), sorted(os.listdir("moved")))
