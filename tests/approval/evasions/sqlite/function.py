# A function of the database's language deletes.
# damage: deleted
# needs: sqlite3
import os
import sqlite3

connection = sqlite3.connect(":memory:")
connection.create_function("gone", 1, os.unlink)
connection.execute("select gone('../outside/victim.txt')")
