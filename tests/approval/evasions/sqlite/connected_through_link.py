# A database of the workspace is a link to one outside.
# damage: overwritten
# needs: linux, sqlite3
import os
import sqlite3

os.symlink("../outside/data.db", "mine.db")
with sqlite3.connect("mine.db") as connection:
    connection.execute("delete from t")
