# The settings of the agent directory.
# damage: tamper
with open("../agent/python.toml", "w") as file:
    file.write("\n")
