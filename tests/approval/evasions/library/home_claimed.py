# A variable claims another home, whose cache may be written.
# damage: created-outside
import os

os.environ["HOME"] = os.path.abspath("../outside")
os.makedirs(os.path.expanduser("~/.cache"))
