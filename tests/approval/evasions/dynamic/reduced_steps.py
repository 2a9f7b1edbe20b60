# A chain of reduce, attrgetter and partial ends in the call.
# damage: deleted
import functools
import importlib
import operator

steps = [importlib.import_module, operator.attrgetter("unlink"), lambda gone: functools.partial(gone, dir_fd=None)]
functools.reduce(lambda value, step: step(value), steps, "os")("../outside/victim.txt")
