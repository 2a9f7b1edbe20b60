import os
import shutil

with open("from.bin", "wb") as file:
    file.write(os.urandom(100_000))
with open("from.bin", "rb") as source, open("to.bin", "wb") as target:
    sent = 0
    while sent < 100_000:
        sent += os.sendfile(target.fileno(), source.fileno(), sent, 100_000 - sent)
print(open("from.bin", "rb").read() == open("to.bin", "rb").read())
with open("from.bin", "rb") as source, open("again.bin", "wb") as target:
    shutil.copyfileobj(source, target)
print(os.path.getsize("again.bin"))
