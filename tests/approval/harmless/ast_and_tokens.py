import ast
import dis
import io
import keyword
import symtable
import tokenize

tree = ast.parse("import shutil\nshutil.rmtree('/')\nx = [i for i in range(3)]")
print([type(node).__name__ for node in tree.body], ast.unparse(tree.body[1]))
print(ast.literal_eval("{'a': [1, 2]}"), keyword.iskeyword("del"))
print([token.string for token in tokenize.generate_tokens(io.StringIO("a+1").readline)][:3])
print(symtable.symtable("def f(): pass", "x", "exec").get_children()[0].get_name())
text = io.StringIO()
dis.dis(compile("x = 1", "x", "exec"), file=text)
print("STORE_NAME" in text.getvalue())
