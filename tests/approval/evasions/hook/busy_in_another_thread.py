# One thread holds whoever looks at its path; another acts meanwhile.
# damage: deleted
import os
import threading
import time

entered = threading.Event()


class Slow(str):
    def wait(self, *arguments, **options):
        entered.set()
        time.sleep(0.5)
        return "harmless.txt"

    __str__ = __repr__ = __fspath__ = encode = startswith = rstrip = split = __eq__ = wait
    __hash__ = str.__hash__


thread = threading.Thread(target=lambda: open(Slow("harmless.txt"), "w"))
thread.start()
entered.wait(0.2)
os.unlink("../outside/victim.txt")
thread.join()
