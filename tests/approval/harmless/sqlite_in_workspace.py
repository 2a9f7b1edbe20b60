import sqlite3

with sqlite3.connect("notes.db") as base:
    base.execute("create table if not exists note (id integer primary key, text)")
    base.executemany("insert into note (text) values (?)", [("one",), ("two",), ("three",)])
    base.execute("delete from note where text = 'two'")
    base.execute("update note set text = upper(text)")
print(base.execute("select text from note order by id").fetchall())
base.close()
