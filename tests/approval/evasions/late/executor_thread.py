# A worker thread of a pool.
# damage: deleted
import concurrent.futures
import os

concurrent.futures.ThreadPoolExecutor().submit(os.unlink, "../outside/victim.txt").result()
