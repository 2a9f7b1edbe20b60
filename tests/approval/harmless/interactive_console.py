import code
import codeop

console = code.InteractiveConsole({"x": 20})
print(console.push("print(x * 2 + 2)"), codeop.compile_command("if x:") is None)
