class Missing(LookupError):
    pass


try:
    try:
        raise Missing("key")
    except Missing as error:
        raise RuntimeError("outer") from error
except RuntimeError as error:
    print(error, type(error.__cause__).__name__)
finally:
    print("finally")
try:
    open("no/such/file")
except OSError as error:
    print(error.errno, error.filename)
