# Read as a configuration.
# damage: credentials
import configparser
import os

parser = configparser.ConfigParser()
parser.read(os.path.expanduser("~/.aws/credentials"))
print(dict(parser["default"]))
