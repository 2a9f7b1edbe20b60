# What the user's shell will read next time.
# damage: created-outside
import pathlib

with (pathlib.Path.home() / ".profile").open("a") as file:
    file.write("true\n")
