# A program in a terminal of its own.
# damage: program
# needs: linux
import pty

pty.spawn(["../outside/run-me.sh"], lambda descriptor: b"")
