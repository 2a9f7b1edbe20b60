import sys

sys.setrecursionlimit(2000)


def deep(number):
    return 0 if number == 0 else 1 + deep(number - 1)


print(deep(1500))
try:
    deep(10_000)
except RecursionError:
    print("too deep")
print(sys.getsizeof([0] * 100) > 800, sys.intern("a" * 3) is sys.intern("aaa"))
