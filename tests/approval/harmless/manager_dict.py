import multiprocessing


def put(shared, key):
    shared[key] = key * 2


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    with context.Manager() as manager:
        shared = manager.dict()
        workers = [context.Process(target=put, args=(shared, key)) for key in "ab"]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        print(sorted(shared.items()))
