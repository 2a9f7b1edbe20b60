import os

with open("/proc/self/status") as file:
    print(file.readline().startswith("Name:"))
with open("/proc/meminfo") as file:
    print(file.readline().split(":")[0])
print(os.path.exists("/etc/hostname") or os.path.exists("/etc"), len(os.listdir("/proc/self/fd")) >= 3)
