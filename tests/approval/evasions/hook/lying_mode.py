# A mode of open whose letters can't be found in it.
# damage: overwritten


class Mode(str):
    def __contains__(self, letter):
        return False

    def __eq__(self, other):
        return other == "r"

    def __iter__(self):
        return iter("r")

    def startswith(self, *arguments):
        return True

    __hash__ = str.__hash__


open("../outside/victim.txt", Mode("w")).close()
