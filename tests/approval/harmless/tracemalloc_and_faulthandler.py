import faulthandler
import tracemalloc

tracemalloc.start()
data = [bytes(1000) for _ in range(100)]
snapshot = tracemalloc.take_snapshot()
print(sum(item.size for item in snapshot.statistics("lineno")) > 100_000)
tracemalloc.stop()
with open("faults.txt", "w") as file:
    faulthandler.enable(file)
    faulthandler.dump_traceback(file)
    faulthandler.disable()
print("File" in open("faults.txt").read())
