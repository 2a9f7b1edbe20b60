import argparse

parser = argparse.ArgumentParser(prog="tool")
commands = parser.add_subparsers(dest="command")
delete = commands.add_parser("delete")
delete.add_argument("paths", nargs="+")
delete.add_argument("--force", action="store_true")
print(parser.parse_args(["delete", "a", "b", "--force"]))
try:
    parser.parse_args(["unknown"])
except SystemExit as end:
    print("exit", end.code)
