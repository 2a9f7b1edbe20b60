# Opened as source, to find its encoding.
# damage: credentials
import os
import tokenize

with tokenize.open(os.path.expanduser("~/.docker/config.json")) as file:
    print(file.read())
