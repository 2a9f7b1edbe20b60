# A backup overwrites a database outside.
# damage: overwritten
# needs: sqlite3
import sqlite3

other = sqlite3.connect(":memory:", isolation_level=None)
other.execute("attach '../outside/data.db' as target")
sqlite3.connect("data.db").execute("create table u(y)").connection.backup(other, name="main")
other.execute("create table target.u(y)")
