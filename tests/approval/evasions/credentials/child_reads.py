# A forked child reads and tells.
# damage: credentials
# needs: linux
import os

end, start = os.pipe()
if os.fork() == 0:
    with open(os.path.expanduser("~/.ssh/id_rsa"), "rb") as file:
        os.write(start, file.read())
    os._exit(0)
os.close(start)
print(os.read(end, 1000))
