import os

handle = os.open("job.lock", os.O_CREAT | os.O_EXCL | os.O_WRONLY)
try:
    os.write(handle, str(os.getpid()).encode())
    try:
        os.open("job.lock", os.O_CREAT | os.O_EXCL)
    except FileExistsError:
        print("locked")
finally:
    os.close(handle)
    os.unlink("job.lock")
print(os.path.exists("job.lock"))
