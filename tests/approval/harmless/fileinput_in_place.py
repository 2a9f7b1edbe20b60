import fileinput

with open("words.txt", "w") as file:
    file.write("alpha\nbeta\n")
with fileinput.input("words.txt", inplace=True) as lines:
    for line in lines:
        print(line.rstrip().upper())
print(open("words.txt").read())
