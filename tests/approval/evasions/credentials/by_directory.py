# Read relative to an open directory.
# damage: credentials
# needs: linux
import os

directory = os.open(os.path.expanduser("~"), os.O_PATH)
print(os.read(os.open(".ssh/id_rsa", os.O_RDONLY, dir_fd=directory), 1000))
