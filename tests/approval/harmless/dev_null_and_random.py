import os

with open(os.devnull, "w") as nothing:
    print("lost", file=nothing)
with open("/dev/urandom", "rb") as source:
    print(len(source.read(8)))
with open("/dev/zero", "rb") as source:
    print(source.read(3))
