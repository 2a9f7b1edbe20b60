# Read as the data of a module.
# damage: credentials
import os
from importlib.machinery import SourceFileLoader

print(SourceFileLoader("a", "a").get_data(os.path.expanduser("~/.ssh/id_rsa")))
