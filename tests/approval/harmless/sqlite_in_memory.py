import sqlite3

base = sqlite3.connect(":memory:")
base.create_function("twice", 1, lambda value: value * 2)
base.create_aggregate("product", 1, type("P", (), {
    "__init__": lambda self: setattr(self, "value", 1),
    "step": lambda self, value: setattr(self, "value", self.value * value),
    "finalize": lambda self: self.value,
}))
base.execute("create table n (v)")
base.executemany("insert into n values (?)", [(2,), (3,), (7,)])
print(base.execute("select product(v), sum(twice(v)) from n").fetchone())
base.execute("drop table n")
print(base.execute("select count(*) from sqlite_master").fetchone())
