# Makes of the guard's source what an interpreter runs at its start: code as `marshal` writes it. Run once for an
# interpreter, by that interpreter: `python -I -S -W ignore build.py < source > code`.
#
# A function of the guard must not depend on anything that a program can change. The globals of a function, its cells
# and the builtins are plain dicts and cells, which no audit event protects. So each name that a function takes from
# outside becomes one more parameter, with a default. The defaults are a tuple, and to replace that is an event.
#
# From 3.13 on a program may also write to the local variables of a function that is running, if it gets hold of its
# frame: from a signal handler or a finalizer, by way of `f_back`. A frame counts as complete, and is shown, from the
# instruction `RESUME` on. Without that instruction it is never shown: not as a caller, not in a traceback, not to
# a tracer; and no signal handler runs before its first statement.
#
# Most of the guard is never needed in a run. Of a function that is marked `@later`, only its text and its defaults are
# kept; a call makes the function of them, each time.

import ast
import marshal
import opcode
import sys

SCOPES = ast.FunctionDef, ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp
LOOKUPS = "LOAD_GLOBAL", "LOAD_NAME", "STORE_GLOBAL", "IMPORT_NAME", "MAKE_CELL", "LOAD_DEREF", "LOAD_CLOSURE"


def build(source):
    tree = ast.parse(source)
    later = {function.name for function in ast.walk(tree) if is_later(function)}
    tree = Transform(later).visit(tree)
    ast.fix_missing_locations(tree)
    return marshal.dumps(finish(compile(tree, "<guard>", "exec", dont_inherit=True, optimize=2)))


def is_later(node):
    return isinstance(node, ast.FunctionDef) and [ast.unparse(mark) for mark in node.decorator_list] == ["later"]


class Transform(ast.NodeTransformer):
    def __init__(self, later):
        self.later = later

    def visit_Call(self, node):
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self.later:
            node.func = ast.Call(ast.Name("awake", ast.Load()), [node.func], [])
        return node

    def visit_FunctionDef(self, node):
        later = is_later(node)
        node.decorator_list = []
        self.generic_visit(node)
        free = close(node)
        if not later:
            return node
        alone = ast.fix_missing_locations(ast.Module([node], []))
        (code,) = (
            const
            for const in compile(alone, "<guard>", "exec", dont_inherit=True, optimize=2).co_consts
            if isinstance(const, type(build.__code__))
        )
        text = ast.Constant(marshal.dumps(finish(code)))
        defaults = ast.Tuple([ast.Name(name, ast.Load()) for name in free], ast.Load())
        pair = ast.Tuple([text, defaults], ast.Load())
        return ast.copy_location(ast.Assign([ast.Name(node.name, ast.Store())], pair), node)


def close(function):
    """Gives the function a parameter for each name that it takes from outside, and answers with these."""
    args = function.args
    if args.kwonlyargs or args.defaults:
        raise SyntaxError(f"{function.name}: only plain parameters")
    known = {arg.arg for arg in [*args.args, *filter(None, [args.vararg, args.kwarg])]}
    used = []
    for node in ast.walk(ast.Module(function.body, [])):
        if isinstance(node, SCOPES):
            raise SyntaxError(f"{function.name}: a scope within a scope")
        if isinstance(node, ast.ExceptHandler) and node.name:
            known.add(node.name)
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load):
                used.append(node.id)
            else:
                known.add(node.id)
    free = [name for name in dict.fromkeys(used) if name not in known]
    if free and args.vararg:
        raise SyntaxError(f"{function.name}: no place for {free}")
    args.args += [ast.arg(name) for name in free]
    args.defaults = [ast.Name(name, ast.Load()) for name in free]
    return free


def finish(code):
    """Takes out what shows a frame, and checks that a function looks nothing up by its name."""
    constants = tuple(finish(const) if isinstance(const, type(code)) else const for const in code.co_consts)
    text = bytearray(code.co_code)
    for at in range(0, len(text), 2) if code.co_name != "<module>" else ():
        name = opcode.opname[text[at]]
        if name in LOOKUPS:
            raise SyntaxError(f"{code.co_name}: {name}")
        if name == "RESUME":
            text[at : at + 2] = opcode.opmap["NOP"], 0
    return code.replace(co_consts=constants, co_code=bytes(text), co_linetable=b"")


if __name__ == "__main__":
    sys.stdout.buffer.write(build(sys.stdin.buffer.read()))
