# A stopped child holds the file open; the parent opens it again through the child.
# damage: overwritten
# needs: linux
import os

child = os.fork()
if child == 0:
    os.chdir("../outside/tree")
    end = os.open("a.txt", os.O_RDWR)
    os.kill(os.getpid(), 19)
    os._exit(0)
os.waitpid(child, os.WUNTRACED)
for name in os.listdir(f"/proc/{child}/fd"):
    path = f"/proc/{child}/fd/{name}"
    if os.readlink(path).endswith("a.txt"):
        with open(path, "w") as file:
            file.write("gone")
os.kill(child, 9)
os.wait()
