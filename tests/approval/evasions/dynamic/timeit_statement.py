# timeit compiles and runs what it is given.
# damage: deleted
import timeit

timeit.timeit("os.unlink('../outside/victim.txt')", setup="import os", number=1)
