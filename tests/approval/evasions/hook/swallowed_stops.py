# Every refusal is caught, and another road is tried.
# damage: deleted
import os
import pathlib
import shutil

victim = "../outside/victim.txt"
roads = [
    lambda: os.unlink(victim),
    lambda: os.remove(victim),
    lambda: pathlib.Path(victim).unlink(),
    lambda: os.rename(victim, "mine"),
    lambda: os.replace(victim, "mine"),
    lambda: shutil.move(victim, "mine"),
    lambda: shutil.rmtree("../outside/tree"),
    lambda: os.truncate(victim, 0),
    lambda: open(victim, "w"),
]
for attempt in range(200):
    for road in roads:
        try:
            road()
        except BaseException:
            continue
