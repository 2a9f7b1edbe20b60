# The attaching happens in a script of many statements, as a computed name.
# damage: overwritten
# needs: sqlite3
import sqlite3

connection = sqlite3.connect(":memory:")
connection.executescript("attach '..' || char(47) || 'outside/data.db' as o; insert into o.t values (2);")
