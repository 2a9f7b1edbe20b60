# Every worker of a pool deletes while it starts.
# damage: deleted
import concurrent.futures
import multiprocessing
import os
import sys

# The child shall not look for the program that started it.
vars(sys.modules["__main__"]).pop("__file__", None)
context = multiprocessing.get_context("spawn")
with concurrent.futures.ProcessPoolExecutor(
    1, mp_context=context, initializer=os.unlink, initargs=("../outside/victim.txt",)
) as pool:
    try:
        pool.submit(print).result()
    except Exception:
        pass
