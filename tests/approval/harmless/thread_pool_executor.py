import concurrent.futures
import pathlib


def write(number):
    path = pathlib.Path(f"thread{number}.txt")
    path.write_text(str(number))
    return path.stat().st_size


with concurrent.futures.ThreadPoolExecutor(4) as executor:
    futures = [executor.submit(write, 10 ** number) for number in range(5)]
    print([future.result() for future in futures])
