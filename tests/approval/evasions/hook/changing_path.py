# A path object that answers differently each time it is asked.
# damage: deleted
import itertools
import os


class Changing:
    def __init__(self, answers):
        self.answers = iter(answers)

    def __fspath__(self):
        return next(self.answers)


victim = "../outside/victim.txt"
for answers in ([victim], ["made.txt", victim], ["made.txt", "made.txt", victim]):
    open("made.txt", "w").close()
    try:
        os.unlink(Changing(itertools.chain(answers, itertools.repeat(victim))))
    except FileNotFoundError:
        pass
