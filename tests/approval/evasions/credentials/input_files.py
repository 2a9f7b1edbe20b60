# Read as one of the files of the input.
# damage: credentials
import fileinput
import os

for line in fileinput.input([os.path.expanduser("~/.bash_history")]):
    print(line)
