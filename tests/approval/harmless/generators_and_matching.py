def chunks(items, size):
    while items:
        yield items[:size]
        items = items[size:]


def describe(value):
    match value:
        case {"action": "delete", "path": path}:
            return f"would delete {path}"
        case [first, *rest]:
            return f"{first} and {len(rest)} more"
        case int() | float():
            return "number"
        case _:
            return "other"


print(list(chunks("abcdefg", 3)))
print([describe(value) for value in ({"action": "delete", "path": "/x"}, [1, 2, 3], 1.5, None)])


def echo():
    received = None
    while True:
        received = yield received


talk = echo()
next(talk)
print(talk.send("hi"), (lambda *a, **k: (a, k))(1, b=2))
talk.close()
