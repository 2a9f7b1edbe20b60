import multiprocessing


def square(number):
    return number * number


if __name__ == "__main__":
    with multiprocessing.get_context("forkserver").Pool(2) as pool:
        print(pool.map(square, range(10)))
