# A forked child of multiprocessing deletes.
# damage: deleted
# needs: linux
import multiprocessing
import shutil

process = multiprocessing.get_context("fork").Process(target=shutil.rmtree, args=("../outside/tree",))
process.start()
process.join()
