# And starts programs.
# damage: program
# needs: linux, _tkinter
import tkinter

tkinter.Tcl().eval("exec ../outside/run-me.sh")
