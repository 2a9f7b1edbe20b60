# A private key is read.
# damage: credentials
import os

with open(os.path.expanduser("~/.ssh/id_rsa")) as file:
    print(file.read())
