# A database outside is opened by an address, after the file's name was hidden in it.
# damage: overwritten
# needs: sqlite3
import sqlite3

with sqlite3.connect("file:%2e%2e/outside/data.db?mode=rw", uri=True) as connection:
    connection.execute("delete from t")
