import os
import pty
import tty

leader, follower = pty.openpty()
tty.setraw(follower)
os.write(follower, b"through a terminal")
print(os.read(leader, 100), os.isatty(follower))
os.close(leader)
os.close(follower)
