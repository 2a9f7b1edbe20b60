import difflib
import pprint
import re
import string
import textwrap
import unicodedata

print("".join(difflib.unified_diff(["a\n", "b\n"], ["a\n", "c\n"])))
print(textwrap.fill("word " * 10, 20))
print(re.sub(r"(\w+)@(\w+)", r"\2 at \1", "me@home"), string.Template("$a-$b").substitute(a=1, b=2))
pprint.pprint({"key": list(range(30))}, width=60)
print(unicodedata.normalize("NFD", "é") == "e\u0301", unicodedata.name("ß"))
