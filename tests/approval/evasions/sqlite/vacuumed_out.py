# A copy of the database is made outside.
# damage: created-outside
# needs: sqlite3
import sqlite3

sqlite3.connect("data.db").execute("vacuum into '../outside/new.db'")
