import os
import tempfile

with tempfile.TemporaryDirectory() as scratch:
    deep = os.path.join(scratch, "a", "b")
    os.makedirs(deep)
    for number in range(3):
        with open(os.path.join(deep, f"{number}.txt"), "w") as file:
            file.write("x" * number)
    print(sorted(os.listdir(deep)))
print(os.path.exists(scratch))
