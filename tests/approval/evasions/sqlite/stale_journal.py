# Somebody's file is named like a journal; opening the database deletes it, from C.
# damage: deleted
# needs: sqlite3
import os
import sqlite3

os.rename("victim.txt", "new.db-journal")
sqlite3.connect("new.db").execute("create table t(x)")
