# An operator of an own class is bound to the deleting function.
# damage: deleted
import os


class Root(str):
    def __truediv__(self, name):
        return self.drop(f"{self}/{name}")

    drop = staticmethod(os.unlink)


Root("../outside") / "victim.txt"
