# Neither the module nor the function is spelled anywhere.
# damage: deleted
module = __import__("".join(["p", "o", "s", "i", "x"]))
getattr(module, "knilnu"[::-1])("../outside/victim.txt")
