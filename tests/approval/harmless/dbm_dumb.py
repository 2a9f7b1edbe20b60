import dbm.dumb

with dbm.dumb.open("dumb", "n") as base:
    for number in range(10):
        base[str(number)] = str(number * number)
    del base["3"]
with dbm.dumb.open("dumb", "r") as base:
    print(sorted(int(key) for key in base.keys()))
