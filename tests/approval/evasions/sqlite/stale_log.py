# Somebody's file is named like a write-ahead log; closing the database deletes it, from C.
# damage: deleted
# needs: sqlite3
import os
import sqlite3

os.rename("victim.txt", "data.db-wal")
connection = sqlite3.connect("data.db")
connection.execute("pragma journal_mode=wal")
connection.execute("insert into t values (1)")
connection.commit()
connection.close()
