import multiprocessing
from multiprocessing.managers import SharedMemoryManager


def total(numbers):
    return sum(numbers)


if __name__ == "__main__":
    with SharedMemoryManager() as manager:
        numbers = manager.ShareableList(range(10))
        with multiprocessing.get_context("fork").Pool(1) as pool:
            print(pool.apply(total, (numbers,)))
