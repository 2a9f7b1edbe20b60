import functools
import operator


@functools.lru_cache(None)
def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


@functools.singledispatch
def show(value):
    return "any"


show.register(int)(lambda value: "int")
remove = operator.methodcaller("remove", 2)
numbers = [1, 2, 3]
remove(numbers)
print(fibonacci(50), show(1), show(""), numbers)
print(functools.reduce(operator.mul, range(1, 6)), functools.partial(pow, 2)(10), operator.attrgetter("real")(3))
