# An attached database that does not exist yet.
# damage: created-outside
# needs: sqlite3
import sqlite3

connection = sqlite3.connect(":memory:", isolation_level=None)
connection.execute("attach '../outside/new.db' as other")
connection.execute("create table other.t(x)")
