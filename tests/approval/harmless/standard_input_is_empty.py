import sys

print(sys.stdout.encoding.lower(), sys.flags.dont_write_bytecode, sys.stdin is not None)
print("to stderr", file=sys.stderr)
