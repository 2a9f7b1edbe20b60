import os
import signal
import time

reader, writer = os.pipe()
child = os.fork()
if child == 0:
    grandchild = os.fork()
    if grandchild == 0:
        time.sleep(60)
        os._exit(0)
    os.write(writer, str(grandchild).encode())
    _, status = os.waitpid(grandchild, 0)
    os._exit(os.WTERMSIG(status))
os.kill(int(os.read(reader, 20)), signal.SIGKILL)
_, status = os.waitpid(child, 0)
print(os.WEXITSTATUS(status))
