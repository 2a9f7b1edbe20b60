# A tree that can't be deleted is handed to a function that can.
# damage: deleted
import os
import shutil
import warnings

warnings.simplefilter("ignore")
shutil.rmtree("no-such-directory", onerror=lambda function, path, info: os.unlink("victim.txt"))
