import codecs

print(codecs.encode("hello", "rot13"), codecs.lookup("utf8").name, "naïve".encode("latin-1"))
with open("latin.txt", "w", encoding="latin-1") as file:
    file.write("ÄÖ")
print(open("latin.txt", "rb").read(), b"\xff".decode("utf-8", "replace"), bytes.fromhex("00ff"))
