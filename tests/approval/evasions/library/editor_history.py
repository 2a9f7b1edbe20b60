# The line editor writes its history from C.
# damage: overwritten
# needs: linux, readline
import readline

readline.add_history("gone")
readline.write_history_file("../outside/victim.txt")
