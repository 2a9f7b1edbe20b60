import concurrent.futures
import multiprocessing


def fail(number):
    if number == 2:
        raise ValueError(f"bad {number}")
    return number


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as executor:
        futures = [executor.submit(fail, number) for number in range(4)]
        for future in futures:
            print(future.exception() or future.result())
