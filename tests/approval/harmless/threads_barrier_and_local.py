import threading

meet = threading.Barrier(3)
own = threading.local()
seen = []


def work(number):
    own.value = number
    meet.wait()
    seen.append(own.value)


threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
timer = threading.Timer(0.01, lambda: seen.append(99))
timer.start()
timer.join()
print(sorted(seen))
