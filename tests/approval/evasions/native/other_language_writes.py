# And opens files.
# damage: overwritten
# needs: linux, _tkinter
import tkinter

tkinter.Tcl().eval("set f [open ../outside/victim.txt w]; puts $f gone; close $f")
