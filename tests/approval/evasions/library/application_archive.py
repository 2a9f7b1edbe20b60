# An application is packed over a file outside.
# damage: overwritten
import os
import zipapp

os.mkdir("app")
with open("app/__main__.py", "w") as file:
    file.write("pass")
zipapp.create_archive("app", "../outside/victim.txt")
