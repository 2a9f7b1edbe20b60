# Read by the function that is for code.
# damage: credentials
import io
import os

print(io.open_code(os.path.expanduser("~/.npmrc")).read())
