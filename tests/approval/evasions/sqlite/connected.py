# A database outside is opened and changed.
# damage: overwritten
# needs: sqlite3
import sqlite3

with sqlite3.connect("../outside/data.db") as connection:
    connection.execute("delete from t")
