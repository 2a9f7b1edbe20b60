import tempfile

with tempfile.SpooledTemporaryFile(max_size=10) as file:
    file.write(b"0123456789" * 100)
    file.seek(995)
    print(file.read())
