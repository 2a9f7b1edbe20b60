# A simple database is told that its index lies elsewhere.
# damage: overwritten
import dbm.dumb

database = dbm.dumb.open("made", "n")
database["a"] = "b"
database._dirfile = "../outside/victim.txt"
database._bakfile = "../outside/victim.bak"
database.close()
