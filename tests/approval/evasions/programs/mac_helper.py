# A helper for another system runs commands by the shell on every system.
# damage: program
# needs: linux
import _osx_support

_osx_support._read_output("../outside/run-me.sh")
