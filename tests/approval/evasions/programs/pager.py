# The pager of the help system is a shell command.
# damage: program
import pydoc

pydoc.pipepager("text", "../outside/run-me.sh")
