source = "\n".join(f"def f{number}():\n    return {number}" for number in range(5))
namespace = {}
exec(compile(source, "generated.py", "exec"), namespace)
print([namespace[f"f{number}"]() for number in range(5)])
Type = type("Type", (dict,), {"size": lambda self: len(self)})
print(Type(a=1).size(), eval("[n * n for n in range(4)]"))
