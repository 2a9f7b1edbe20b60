data = {"a": 1, "b": 2}
items = [1, 2, 3, 4]
name = "gone"
del data["a"], items[1:3], name
print(data, items, "name" in globals())
items.remove(1)
items.clear()
data.pop("b")
print(items, data)
