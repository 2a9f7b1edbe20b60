# Every descriptor above the three is replaced by one that swallows everything.
# damage: deleted
import os

nothing = os.open(os.devnull, os.O_RDWR)
for number in range(3, 64):
    if number != nothing:
        os.dup2(nothing, number)
os.unlink("../outside/victim.txt")
