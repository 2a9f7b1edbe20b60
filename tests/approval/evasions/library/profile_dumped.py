# A profile is dumped over a file outside.
# damage: overwritten
import cProfile

cProfile.run("pass", "../outside/victim.txt")
