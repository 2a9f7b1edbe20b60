# codeop compiles it line by line.
# damage: deleted
import codeop

compiler = codeop.CommandCompiler()
space = {}
for line in ("import os", "gone = os.unlink", "gone('../outside/victim.txt')"):
    exec(compiler(line), space)
