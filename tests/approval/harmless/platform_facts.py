import platform
import sys
import sysconfig

print(bool(platform.platform()), platform.system() == "Linux" or sys.platform != "linux")
print(platform.python_version() == ".".join(map(str, sys.version_info[:3])))
print(bool(platform.machine()), len(platform.uname()), bool(platform.libc_ver()), bool(platform.processor() is not None))
print(bool(sysconfig.get_paths()["stdlib"]), bool(platform.node() is not None))
