import queue
import threading

jobs, results = queue.Queue(), []
lock = threading.Lock()


def work():
    while (job := jobs.get()) is not None:
        with lock:
            results.append(job * 2)


threads = [threading.Thread(target=work, daemon=True) for _ in range(3)]
for thread in threads:
    thread.start()
for number in range(20):
    jobs.put(number)
for _ in threads:
    jobs.put(None)
for thread in threads:
    thread.join()
print(sorted(results))
