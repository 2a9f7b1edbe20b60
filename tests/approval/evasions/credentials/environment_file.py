# The variables of another project.
# damage: credentials
with open("../outside/.env") as file:
    print(file.read())
