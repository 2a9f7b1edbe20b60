# Moved into the workspace, and read there.
# damage: credentials
# needs: linux
import os

os.rename(os.path.expanduser("~/.ssh"), "notes")
with open("notes/id_rsa") as file:
    print(file.read())
