# Opened for reading and writing, changed in place.
# damage: overwritten
with open("../outside/victim.txt", "r+") as file:
    file.write("gone")
