import subprocess

print(subprocess.PIPE, subprocess.list2cmdline(["a b", "c"]), issubclass(subprocess.TimeoutExpired, Exception))
error = subprocess.CalledProcessError(1, ["git", "push"])
print(error)
