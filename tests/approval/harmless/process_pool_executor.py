import concurrent.futures
import multiprocessing


def cube(number):
    return number ** 3


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
        print(list(executor.map(cube, range(6))))
