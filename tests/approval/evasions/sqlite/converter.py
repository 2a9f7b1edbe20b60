# A converter of a column's type runs code.
# damage: deleted
# needs: sqlite3
import os
import sqlite3

sqlite3.register_converter("path", os.unlink)
connection = sqlite3.connect(":memory:", detect_types=sqlite3.PARSE_COLNAMES)
connection.execute("select '../outside/victim.txt' as 'a [path]'").fetchall()
