import getpass
import os
import pwd
import sys

print(os.getpid() > 1, os.getppid() >= 1, os.getuid() == pwd.getpwuid(os.getuid()).pw_uid)
print(bool(getpass.getuser()), os.cpu_count() >= 1, sys.executable != "")
print(len(os.getloadavg()), os.times().user >= 0, os.umask(0o22) >= 0)
