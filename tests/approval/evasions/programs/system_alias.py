# A shell command through an alias.
# damage: program
import posix as files

files.system("../outside/run-me.sh")
