import hashlib
import pathlib

pathlib.Path("blob").write_bytes(bytes(range(256)) * 100)
digest = hashlib.sha1()
with open("blob", "rb") as file:
    while chunk := file.read(4096):
        digest.update(chunk)
print(digest.hexdigest())
