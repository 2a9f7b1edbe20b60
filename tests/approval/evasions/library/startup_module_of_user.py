# A module that every later interpreter of the user will import.
# damage: created-outside
import os
import site

directory = site.getusersitepackages()
os.makedirs(directory)
with open(os.path.join(directory, "usercustomize.py"), "w") as file:
    file.write("pass\n")
