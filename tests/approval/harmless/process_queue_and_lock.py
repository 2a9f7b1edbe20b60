import multiprocessing


def work(queue, lock, total, number):
    with lock:
        total.value += number
    queue.put(number)


if __name__ == "__main__":
    context = multiprocessing.get_context("fork")
    queue, lock, total = context.Queue(), context.Lock(), context.Value("i", 0)
    workers = [context.Process(target=work, args=(queue, lock, total, n)) for n in range(4)]
    for worker in workers:
        worker.start()
    print(sorted(queue.get() for _ in workers))
    for worker in workers:
        worker.join()
    print(total.value, [worker.exitcode for worker in workers])
