import dbm
import shelve

with shelve.open("shelf") as shelf:
    shelf["a"] = [1, 2, 3]
    shelf["b"] = {"x": 1}
    del shelf["b"]
with shelve.open("shelf") as shelf:
    print(dict(shelf))
with dbm.open("plain", "c") as base:
    base["key"] = "value"
    print(base["key"], len(base.keys()))
