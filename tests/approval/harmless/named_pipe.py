import os
import threading

os.mkfifo("pipe")
thread = threading.Thread(target=lambda: open("pipe", "w").write("through the pipe"))
thread.start()
print(open("pipe").read())
thread.join()
os.unlink("pipe")
