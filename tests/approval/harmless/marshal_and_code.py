import marshal

code = compile("result = sum(range(10))", "made.py", "exec")
namespace = {}
exec(marshal.loads(marshal.dumps(code)), namespace)
print(namespace["result"], eval("result + 1", namespace))
