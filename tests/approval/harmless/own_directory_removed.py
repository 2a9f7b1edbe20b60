import os

os.makedirs("x/y/z")
os.rmdir("x/y/z")
os.removedirs("x/y")
print(os.path.exists("x"))
