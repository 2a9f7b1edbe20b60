# A database outside is attached to one of the workspace.
# damage: overwritten
# needs: sqlite3
import sqlite3

connection = sqlite3.connect("data.db")
connection.execute("attach '../outside/data.db' as other")
connection.execute("drop table other.t")
