# Makes of the guard's source what an interpreter runs at its start: code without names to look up, as `marshal` writes
# it. Run once for an interpreter, by that interpreter: `python -I -S build.py < source > code`.
#
# A function of the guard must not depend on anything that a program can change: the globals of a function, its cells
# and the builtins are all plain dicts and cells, which no audit event protects. So each name that a function takes from
# outside becomes one more parameter with a default. The defaults are a tuple, and replacing that tuple is an event.
#
# From 3.13 on a program may also write to the local variables of a function that is running, if it gets hold of its
# frame: from a signal handler or a finalizer, by way of `f_back`. A frame counts as complete, and is shown, from the
# instruction `RESUME` on. Without that instruction it is never shown: not as a caller, not in a traceback, not to
# a tracer, and no signal handler runs before its first statement.

import ast
import builtins
import marshal
import opcode
import sys


def build(source):
    tree = ast.parse(source)
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            close(function)
    ast.fix_missing_locations(tree)
    code = compile(tree, "<guard>", "exec", dont_inherit=True, optimize=2)
    return marshal.dumps(finish(code))


def close(function):
    """Gives the function a default for each name that it takes from outside."""
    args = function.args
    if args.kwarg or args.kwonlyargs:
        raise SyntaxError(f"{function.name}: only plain parameters")
    known = {arg.arg for arg in args.args}
    if args.vararg:
        known.add(args.vararg.arg)
    used = []
    for node in ast.walk(ast.Module(function.body, [])):
        if isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp)):
            raise SyntaxError(f"{function.name}: a scope within a scope")
        if isinstance(node, ast.ExceptHandler) and node.name:
            known.add(node.name)
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                used.append(node.id)
            else:
                known.add(node.id)
    for name in dict.fromkeys(used):
        if name not in known:
            if args.vararg:
                raise SyntaxError(f"{function.name}: a name from outside, and no place for it")
            args.args.append(ast.arg(name))
            args.defaults.append(ast.Name(name, ast.Load()))


def finish(code):
    """Takes out what shows a frame, and checks that nothing is looked up by name."""
    constants = tuple(finish(const) if isinstance(const, type(code)) else const for const in code.co_consts)
    code = code.replace(co_consts=constants)
    if code.co_name == "<module>":
        return code
    if code.co_freevars or code.co_cellvars:
        raise SyntaxError(f"{code.co_name}: a cell")
    text = bytearray(code.co_code)
    for at in range(0, len(text), 2):
        name = opcode.opname[text[at]]
        if name in ("LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "IMPORT_NAME"):
            raise SyntaxError(f"{code.co_name}: {name}")
        if name == "RESUME":
            text[at : at + 2] = opcode.opmap["NOP"], 0
    return code.replace(co_code=bytes(text))


if __name__ == "__main__":
    sys.stdout.buffer.write(build(sys.stdin.buffer.read()))
