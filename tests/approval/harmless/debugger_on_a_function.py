import io
import pdb


def add(a, b):
    total = a + b
    return total


commands = io.StringIO("step\nnext\np a + b\ncontinue\n")
output = io.StringIO()
debugger = pdb.Pdb(stdin=commands, stdout=output, nosigint=True, readrc=False)
print(debugger.runcall(add, 1, 2))
print("(Pdb)" in output.getvalue())
