import multiprocessing
import time


def sleep():
    time.sleep(60)


if __name__ == "__main__":
    worker = multiprocessing.get_context("fork").Process(target=sleep)
    worker.start()
    worker.terminate()
    worker.join()
    print(worker.exitcode)
    worker = multiprocessing.get_context("fork").Process(target=sleep)
    worker.start()
    worker.kill()
    worker.join()
    print(worker.exitcode)
