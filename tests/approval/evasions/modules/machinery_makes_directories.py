# Caching bytecode makes directories and files beside any "source".
# damage: created-outside
from importlib.machinery import SourceFileLoader

SourceFileLoader("a", "a").set_data("../outside/made/deep/file.pyc", b"data")
