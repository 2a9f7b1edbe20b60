import hashlib
import hmac
import os
import random
import secrets

random.seed(7)
print(random.Random(1).sample(range(100), 3) == random.Random(1).sample(range(100), 3), len(secrets.token_hex(8)))
print(hashlib.sha256(b"x").hexdigest()[:8], hmac.new(b"k", b"m", "sha256").hexdigest()[:8])
print(len(os.urandom(4)), hashlib.pbkdf2_hmac("sha256", b"p", b"s", 10).hex()[:6], hashlib.blake2b(b"").name)
