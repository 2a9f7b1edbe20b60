# The line editor appends to its history from C.
# damage: overwritten
# needs: linux, readline
import readline

readline.add_history("gone")
readline.append_history_file(1, "../outside/victim.txt")
