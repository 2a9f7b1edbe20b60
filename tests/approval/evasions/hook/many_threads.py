# More threads try at once than anybody can look at.
# damage: deleted
import os
import threading

barrier = threading.Barrier(64)


def attempt():
    barrier.wait()
    try:
        os.unlink("../outside/victim.txt")
    except FileNotFoundError:
        pass


threads = [threading.Thread(target=attempt) for _ in range(64)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
