# A hook of its own retries inside the event, before anybody else is asked.
# status: any
# damage: deleted
import os
import sys

busy = []


def eager(event, arguments):
    if not busy:
        busy.append(1)
        os.unlink("../outside/victim.txt")


sys.addaudithook(eager)
sys.audit("anything")
