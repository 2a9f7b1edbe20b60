import tempfile

with tempfile.TemporaryFile() as file:
    file.write(b"first\nsecond\n")
    file.seek(0)
    print(file.readlines())
