# The old way to open text.
# damage: overwritten
import codecs

with codecs.open("../outside/victim.txt", "w", "utf-16") as file:
    file.write("gone")
