with open("data.txt", "w") as file:
    file.write("0123456789")
with open("data.txt", "r+") as file:
    file.seek(3)
    file.write("xyz")
    file.truncate(8)
with open("data.txt", "a") as file:
    file.write("!")
print(open("data.txt").read())
