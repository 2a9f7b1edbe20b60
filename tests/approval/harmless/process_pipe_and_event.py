import multiprocessing


def answer(connection, event):
    connection.send(connection.recv() + 1)
    event.set()


if __name__ == "__main__":
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    event = context.Event()
    worker = context.Process(target=answer, args=(theirs, event))
    worker.start()
    ours.send(41)
    print(ours.recv(), event.wait(30))
    worker.join()
