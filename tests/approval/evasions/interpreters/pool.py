# A pool of interpreters.
# damage: deleted
# needs: python>=3.14
import concurrent.futures
import os

with concurrent.futures.InterpreterPoolExecutor() as pool:
    pool.submit(os.unlink, "../outside/victim.txt").result()
