import os
import shutil

usage = shutil.disk_usage(".")
print(usage.total >= usage.used, os.path.ismount("/"), os.access(".", os.W_OK))
print(shutil.which("no-such-program-at-all"), os.statvfs(".").f_bsize > 0)
