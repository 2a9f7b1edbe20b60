# Read by number.
# damage: credentials
import os
import sys

key = os.open(os.path.expanduser("~/.aws/credentials"), os.O_RDONLY)
sys.stdout.write(os.read(key, 1000).decode())
