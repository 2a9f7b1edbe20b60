import base64
import binascii
import plistlib
import quopri

with open("a.plist", "wb") as file:
    plistlib.dump({"n": 1, "l": [True, "x"]}, file)
print(plistlib.load(open("a.plist", "rb")))
print(base64.b85encode(b"data"), binascii.hexlify(b"\xff\0"), quopri.encodestring("ü=".encode()))
