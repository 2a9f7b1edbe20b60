import types


class Tool:
    def unlink(self):
        return "own method"

    def rmtree(self):
        return "own tree"


tool = Tool()
print([getattr(tool, "un" + "link")(), getattr(tool, "rm" + "tree")()])
space = types.SimpleNamespace(system=len, remove=str.upper)
print(space.system("four"), space.remove("x"))
print(getattr([3, 1], "rem" + "ove")(3))
