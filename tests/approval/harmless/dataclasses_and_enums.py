import dataclasses
import enum
import functools


class Color(enum.Flag):
    RED = enum.auto()
    GREEN = enum.auto()


@functools.total_ordering
@dataclasses.dataclass(frozen=True)
class Version:
    major: int
    minor: int = 0
    tags: tuple = dataclasses.field(default=(), compare=False)

    def __lt__(self, other):
        return (self.major, self.minor) < (other.major, other.minor)


print(Version(1, 2) < Version(1, 10), dataclasses.replace(Version(1), minor=5))
print((Color.RED | Color.GREEN).value)
try:
    Version(1).major = 2
except dataclasses.FrozenInstanceError:
    print("frozen")
