# Where the database keeps temporary files is a directory outside.
# damage: overwritten
# needs: sqlite3
import sqlite3

connection = sqlite3.connect("../outside/data.db", isolation_level=None)
connection.execute("pragma journal_mode=persist")
connection.execute("insert into t values (1)")
