import os

os.environ["MINE"] = "1"
print(os.getenv("MINE"), os.environ.pop("MINE"), "MINE" in os.environ)
os.putenv("OTHER", "2")
os.unsetenv("OTHER")
print(os.path.expandvars("$NOT_SET_AT_ALL"))
