import abc
import typing


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self) -> float: ...


class Square(Shape):
    def __init__(self, side: float):
        self.side = side

    def area(self) -> float:
        return self.side ** 2


class Point(typing.NamedTuple):
    x: int
    y: int = 0


print(Square(3).area(), typing.get_type_hints(Square.area), Point(1))
try:
    Shape()
except TypeError:
    print("abstract")


@typing.runtime_checkable
class Closes(typing.Protocol):
    def close(self): ...


print(isinstance(open("f", "w"), Closes))
