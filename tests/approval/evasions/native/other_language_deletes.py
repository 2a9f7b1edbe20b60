# The interpreter of another language comes with this one.
# damage: deleted
# needs: linux, _tkinter
import tkinter

tkinter.Tcl().eval("file delete ../outside/victim.txt")
