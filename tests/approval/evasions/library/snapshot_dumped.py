# A snapshot of memory is dumped over a file outside.
# damage: overwritten
import tracemalloc

tracemalloc.start()
tracemalloc.take_snapshot().dump("../outside/victim.txt")
