import os
import sqlite3

base = sqlite3.connect("big.db", isolation_level=None)
print(base.execute("pragma journal_mode=wal").fetchone())
base.execute("create table t (x)")
base.executemany("insert into t values (?)", [("y" * 1000,)] * 200)
base.execute("delete from t")
base.execute("vacuum")
copy = sqlite3.connect("copy.db")
base.backup(copy)
copy.close()
base.close()
print(os.path.getsize("copy.db") < 100_000, sorted(name for name in os.listdir(".") if name.startswith("big")))
