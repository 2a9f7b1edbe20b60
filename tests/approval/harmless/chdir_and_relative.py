import os

os.makedirs("a/b")
os.chdir("a/b")
with open("here.txt", "w") as file:
    file.write("here")
os.replace("here.txt", "../there.txt")
os.chdir("../..")
print(os.path.exists("a/there.txt"))
os.remove("a/there.txt")
