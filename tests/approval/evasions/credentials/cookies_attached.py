# A browser's database is attached to one in memory.
# damage: credentials
# needs: sqlite3
import os
import sqlite3

connection = sqlite3.connect(":memory:")
connection.execute("attach ? as other", (os.path.expanduser("~/.config/google-chrome/Default/Cookies"),))
print(connection.execute("select * from other.t").fetchall())
