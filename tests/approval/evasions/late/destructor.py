# An object deletes as it goes.
# damage: deleted
import os


class Goes:
    def __del__(self):
        os.unlink("../outside/victim.txt")


Goes()
