# fileinput changes a file in its place, by renaming and deleting.
# damage: overwritten
import fileinput

for line in fileinput.input("../outside/victim.txt", inplace=True):
    print("gone")
